/** What stands in the way of a viewer, told in the same words whatever the reason that they may not know. */
import { useEffect, useState, type ReactNode } from 'react';
import { offersSignUp } from '../../lib/sign-up-policy.ts';
import { counted } from '../../lib/words.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import type { Refused } from './answers.ts';

export interface ObstacleProps {
  readonly refused: Refused;
  readonly slug: string;
  readonly onPassword: (password: string) => Promise<void>;
  readonly onRetry: () => void;
}

export function Obstacle({ refused, slug, onPassword, onRetry }: ObstacleProps) {
  switch (refused.code) {
    case 'SHARE_PASSWORD_REQUIRED':
      return <PasswordPrompt wasTried={refused.wasTried} onPassword={onPassword} />;
    case 'UNAUTHENTICATED':
      return (
        <Obstructed heading="Sign in to open this link">
          <p>It is for people who have an account here. You come back to it once you have signed in.</p>
          <SignInLinks slug={slug} />
        </Obstructed>
      );
    case 'REPORT_EXPIRED':
      return (
        <Obstructed heading="This report has expired">
          <p>Its time was over, or it was deleted. What it held is gone.</p>
        </Obstructed>
      );
    case 'RATE_LIMITED':
      return <TooMany refused={refused} onRetry={onRetry} />;
    default:
      return (
        <Obstructed heading="This link is not available">
          <p>It was withdrawn, has ended, or is for somebody else. Ask whoever gave it to you.</p>
        </Obstructed>
      );
  }
}

/** The title tells nothing: it stands in histories and in the lists of open pages. */
function Obstructed({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <main>
      <Page title="Shared report" heading={heading} width="narrow">
        {children}
      </Page>
    </main>
  );
}

function SignInLinks({ slug }: { readonly slug: string }) {
  const next = new URLSearchParams({ next: `/s/${slug}` }).toString();
  return (
    <p className="flex flex-wrap gap-2">
      <a href={`/login?${next}`} className={buttonLook('primary')}>
        Sign in
      </a>
      {offersSignUp() ? (
        <a href={`/signup?${next}`} className={buttonLook('plain')}>
          Make an account
        </a>
      ) : null}
    </p>
  );
}

function PasswordPrompt({
  wasTried,
  onPassword,
}: {
  readonly wasTried: boolean;
  readonly onPassword: (password: string) => Promise<void>;
}) {
  return (
    <Obstructed heading="This link needs its password">
      <Form onSend={({ password = '' }) => onPassword(password)}>
        <PasswordField
          label="Password"
          name="password"
          autoComplete="off"
          required
          hint="Whoever gave you the link has it. It is not kept on this device."
        />
        {wasTried ? (
          <Notice tone="danger">
            <p>This is not its password. Check it and try again; after ten wrong ones the link shuts.</p>
          </Notice>
        ) : null}
        <SubmitButton>Open</SubmitButton>
      </Form>
    </Obstructed>
  );
}

const MINUTE_MS = 60_000;

/** Wrong passwords shut a link for minutes, a crowd holds up for seconds; either way the page opens when that is over. */
function TooMany({ refused, onRetry }: { readonly refused: Refused; readonly onRetry: () => void }) {
  const waitMs = refused.retryAfterMs ?? MINUTE_MS;
  const [until] = useState(() => new Date(Date.now() + waitMs));
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  const isShort = waitMs < MINUTE_MS;
  const shut = isShort
    ? `Many people ask at once. Try again in ${counted(Math.ceil(waitMs / 1000), 'second')}.`
    : `The link stays shut for ${counted(Math.ceil(waitMs / MINUTE_MS), 'minute')}, until ${timeOf(until)}, for the right password too.`;
  return (
    <Obstructed heading={isShort ? 'Not just now' : 'Too many wrong passwords'}>
      <p role="status">{isOver ? 'You can try again now.' : shut}</p>
      <p>
        <Button disabled={!isOver} onClick={onRetry}>
          Try again
        </Button>
      </p>
    </Obstructed>
  );
}

function timeOf(time: Date): string {
  return time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
