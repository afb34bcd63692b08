/** Why a report can not be read for support, and what can be done about it. */
import { Link } from '@tanstack/react-router';
import { isRefusal } from '../../lib/api.ts';
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
    <Page
      title={hasEnded ? 'The support grant has ended' : 'Reading this report takes a support grant'}
      width="narrow"
    >
      <p>
        {hasEnded ? 'What it opened is gone from this page.' : 'You have none in force for'}{' '}
        {hasEnded ? null : <code>{reportId}</code>}
        {hasEnded ? '' : '.'} A grant takes a reason, which the owner of the report will read, and your
        password.
      </p>
      <p>
        <Link to="/admin/support-grants" search={{ report: reportId }} className={buttonLook('primary')}>
          {hasEnded ? 'Make another grant' : 'Make a support grant'}
        </Link>
      </p>
    </Page>
  );
}

export interface UnreadProps {
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onRetry: () => void;
}

export function Unread({ error, isBusy, onRetry }: UnreadProps) {
  if (isRefusal(error, 'REPORT_EXPIRED')) {
    return (
      <Page title="This report has expired" width="narrow">
        <p>Its time was over, or it was deleted. What it held is gone.</p>
        <ToGrants />
      </Page>
    );
  }
  return (
    <Page title="The report could not be read" width="narrow">
      <p role="alert">{messageOf(error)}</p>
      <p>This may count as an access already, and each new try counts as another.</p>
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
        Go to the support grants
      </Link>
    </p>
  );
}
