/** Explains why an administrator can’t read a report, and what to do. */
import { Link } from '@tanstack/react-router';
import { isApiError } from '../../lib/api.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';

export function NeedsGrant({
  reportId,
  hasEnded,
}: {
  readonly reportId: string;
  readonly hasEnded: boolean;
}) {
  return (
    <Page title={hasEnded ? 'Support grant ended' : 'Support grant required'} width="narrow">
      <p>
        {hasEnded ? 'This page no longer shows the report.' : 'You have no active support grant for'}{' '}
        {hasEnded ? null : <code>{reportId}</code>}
        {hasEnded ? '' : '.'} A grant requires your password and a reason that the owner of the report sees.
      </p>
      <p>
        <Link to="/admin/support-grants" search={{ report: reportId }} className={buttonLook('primary')}>
          {hasEnded ? 'Create another grant' : 'Create support grant'}
        </Link>
      </p>
    </Page>
  );
}

export interface ReadFailedProps {
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onRetry: () => void;
}

export function ReadFailed({ error, isBusy, onRetry }: ReadFailedProps) {
  if (isApiError(error, 'REPORT_EXPIRED')) {
    return (
      <Page title="Report expired" width="narrow">
        <p>This report has expired or was deleted. Its content can’t be recovered.</p>
        <ToGrants />
      </Page>
    );
  }
  return (
    <Page title="Can’t load the report" width="narrow">
      <p role="alert">{messageOf(error)}</p>
      <p>This attempt may count as an access, and each retry counts as another.</p>
      <p>
        <Button busy={isBusy} onClick={onRetry}>
          Try again
        </Button>
      </p>
      <ToGrants />
    </Page>
  );
}

function ToGrants() {
  return (
    <p>
      <Link to="/admin/support-grants" className="text-accent-text underline">
        View support grants
      </Link>
    </p>
  );
}
