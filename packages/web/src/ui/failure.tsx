/** What is shown in place of a page that could not be had. */
import { isPassing, Refusal } from '../lib/api.ts';
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

/** What a person is told of an error. */
export function messageOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (isPassing(error)) return 'The service can not be reached. Check your network and try again.';
  return 'Something failed on this page. Load it again; if it happens again, tell the operator.';
}
