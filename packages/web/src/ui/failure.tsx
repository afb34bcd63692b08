/** What is shown in place of a page that could not be had. */
import type { ErrorCode } from '@svc/contract';
import { isPassing, Refusal } from '../lib/api.ts';
import { lasting } from '../lib/words.ts';
import { Button } from './button.tsx';
import { Page } from './page.tsx';

export function NotFound() {
  return (
    <Page title="Not found" width="narrow">
      <p>There is nothing here that you can see. It may have been deleted, or belong to another account.</p>
      <p>
        <a href="/" className="text-accent-text underline">
          Go to your reports
        </a>
      </p>
    </Page>
  );
}

export function FailedPage({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <Page title={isPassing(error) ? 'The service can not be reached' : 'This did not work'} width="narrow">
      <p role="alert">{messageOf(error)}</p>
      {error instanceof Refusal ? (
        <p className="text-small text-quiet">
          Request <code>{error.requestId}</code>
        </p>
      ) : null}
      <p>
        <Button onClick={onRetry}>Try again</Button>
      </p>
    </Page>
  );
}

/** Where what the service says is meant for programs. */
const refusals: Readonly<Partial<Record<ErrorCode, (refusal: Refusal) => string>>> = {
  UNAUTHENTICATED: () => 'Your session has ended. Sign in and try again.',
  RATE_LIMITED: ({ retryAfterMs }) =>
    retryAfterMs === null
      ? 'Too many attempts. Wait a while and try again.'
      : `Too many attempts. Try again in ${lasting(retryAfterMs)}.`,
};

/** What a person is told of an error. */
export function messageOf(error: unknown): string {
  if (error instanceof Refusal) return refusals[error.code]?.(error) ?? error.message;
  if (isPassing(error)) return 'The service can not be reached. Check your network and try again.';
  return 'Something failed on this page. Load it again; if it happens again, tell the operator.';
}
