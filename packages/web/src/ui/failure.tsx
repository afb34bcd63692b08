/** Pages and messages for errors. */
import type { ErrorCode } from '@svc/contract';
import { isPassing, ApiError } from '../lib/api.ts';
import { durationText } from '../lib/format.ts';
import { Button } from './button.tsx';
import { Page } from './page.tsx';

export function NotFound() {
  return (
    <Page title="Not found" width="narrow">
      <p>This page does not exist, was deleted, or belongs to another account.</p>
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
    <Page title={isPassing(error) ? 'Can’t reach the service' : 'Something went wrong'} width="narrow">
      <p role="alert">{messageOf(error)}</p>
      {error instanceof ApiError ? (
        <p className="text-small text-quiet">
          Request ID <code>{error.requestId}</code>
        </p>
      ) : null}
      <p>
        <Button onClick={onRetry}>Try again</Button>
      </p>
    </Page>
  );
}

/** Codes whose server message is written for programs. */
const messages: Readonly<Partial<Record<ErrorCode, (error: ApiError) => string>>> = {
  UNAUTHENTICATED: () => 'Your session has ended. Sign in and try again.',
  RATE_LIMITED: ({ retryAfterMs }) =>
    retryAfterMs === null
      ? 'Too many attempts. Wait a while and try again.'
      : `Too many attempts. Try again in ${durationText(retryAfterMs)}.`,
};

/** The message that a page shows for an error. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return messages[error.code]?.(error) ?? error.message;
  if (isPassing(error)) return 'Can’t reach the service. Check your network and try again.';
  return 'This page failed. Reload it; if it fails again, contact the operator.';
}
