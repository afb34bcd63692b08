/** Why a viewer can’t open a share link. All reasons that must stay secret share one message. */
import { MINUTE_MS } from '@svc/contract/durations';
import { useEffect, useState, type ReactNode } from 'react';
import { offersSignUp } from '../../lib/sign-up-policy.ts';
import { clockTimeWithZone, counted, exactTime } from '../../lib/format.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { outlivesReloads } from './kept-unlock.ts';
import type { Denied } from './open-results.ts';

export interface OpenErrorProps {
  readonly denied: Denied;
  readonly slug: string;
  readonly onPassword: (password: string) => Promise<void>;
  readonly onRetry: () => void;
}

export function OpenError({ denied, slug, onPassword, onRetry }: OpenErrorProps) {
  switch (denied.code) {
    case 'SHARE_PASSWORD_REQUIRED':
      return <PasswordPrompt wasTried={denied.wasTried} onPassword={onPassword} />;
    case 'UNAUTHENTICATED':
      return (
        <ErrorPage heading="Sign in to open this share link">
          <p>This share link requires an account. You return here after you sign in.</p>
          <SignInLinks slug={slug} />
        </ErrorPage>
      );
    case 'REPORT_EXPIRED':
      return (
        <ErrorPage heading="Report expired">
          <p>This report has expired or was deleted. Its content can’t be recovered.</p>
        </ErrorPage>
      );
    case 'RATE_LIMITED':
      return <TooMany denied={denied} onRetry={onRetry} />;
    default:
      return (
        <ErrorPage heading="Share link not available">
          <p>It was revoked, has expired, or is for someone else. Ask the person who sent it to you.</p>
        </ErrorPage>
      );
  }
}

/** The title is generic, since titles appear in browser histories and tab lists. */
function ErrorPage({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
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
          Create account
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
    <ErrorPage heading="Password required">
      <p>
        Someone shared a security report with you and protected it with a separate password. Ask the person
        who sent you the link for this password.
      </p>
      <p className="text-quiet">
        Never enter the password of your email or of another account here. This page needs no account, and its
        address is <bdi className="font-strong">{location.host}</bdi>. If you don’t expect a report, ask the
        sender first.
      </p>
      <Form onSend={({ password = '' }) => onPassword(password)}>
        <PasswordField
          label="Password of this link"
          name="password"
          autoComplete="off"
          required
          hint={`${
            outlivesReloads()
              ? 'You enter it once while this tab is open.'
              : 'This browser blocks storage for this site, so a reload asks for it again.'
          } The password is not stored on this device.`}
        />
        {wasTried ? (
          <Notice tone="danger">
            <p>Wrong password. Check it and try again; ten wrong attempts lock the share link.</p>
          </Notice>
        ) : null}
        <SubmitButton>Open report</SubmitButton>
      </Form>
    </ErrorPage>
  );
}

/**
 * Wrong passwords lock a link for minutes, high load delays it for seconds; in both cases the viewer can retry
 * afterwards.
 */
function TooMany({ denied, onRetry }: { readonly denied: Denied; readonly onRetry: () => void }) {
  const waitMs = denied.retryAfterMs ?? MINUTE_MS;
  const [until] = useState(() => new Date(Date.now() + waitMs));
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  const isShort = waitMs < MINUTE_MS;
  const waitText = isShort ? (
    `Too many requests at the moment. Try again in ${counted(Math.ceil(waitMs / 1000), 'second')}.`
  ) : (
    <>
      The share link is locked for {counted(Math.ceil(waitMs / MINUTE_MS), 'minute')}, until{' '}
      <time dateTime={until.toISOString()} title={exactTime(until)}>
        {clockTimeWithZone(until)}
      </time>
      , even for the correct password.
    </>
  );
  return (
    <ErrorPage heading={isShort ? 'Too many requests' : 'Too many wrong passwords'}>
      <p role="status">{isOver ? 'You can try again now.' : waitText}</p>
      <p>
        <Button disabled={!isOver} onClick={onRetry}>
          Try again
        </Button>
      </p>
    </ErrorPage>
  );
}
