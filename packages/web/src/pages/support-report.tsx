/** A whole report, for an administrator with a support grant for it. */
import type { SupportRead } from '@svc/contract';
import { Link, useParams } from '@tanstack/react-router';
import { NeedsGrant, ReadFailed } from '../features/admin/support-error.tsx';
import { useIsOver, useSupportRead } from '../features/admin/support-read.ts';
import { ReportReading } from '../features/reading/report-reading.tsx';
import { isApiError } from '../lib/api.ts';
import { exactTime } from '../lib/format.ts';
import { Page } from '../ui/page.tsx';
import { Waiting } from '../ui/waiting.tsx';

export function SupportReportPage() {
  const { id } = useParams({ from: '/administrator/admin/reports/$id' });
  const answer = useSupportRead(id);
  const isOver = useIsOver(answer);
  const { data, error, isFetching, refetch } = answer;
  if (isOver) return <NeedsGrant key="over" reportId={id} hasEnded />;
  if (data) return <Read key={id} read={data} />;
  if (isApiError(error, 'SUPPORT_GRANT_REQUIRED')) return <NeedsGrant reportId={id} hasEnded={false} />;
  if (error !== null) return <ReadFailed error={error} isBusy={isFetching} onRetry={() => void refetch()} />;
  return <Waiting what="the report" />;
}

function Read({ read }: { readonly read: SupportRead }) {
  const { report, expiresAt, grant } = read;
  const title = 'Report under a support grant';
  return (
    <>
      <section aria-label="Support access" className="bg-warn-soft py-2">
        <p className="mx-auto flex max-w-[100rem] flex-wrap px-4 sm:px-6 justify-between gap-x-6 gap-y-1">
          <span className="measure">
            Support access until{' '}
            <time dateTime={grant.expiresAt} className="font-strong">
              {exactTime(new Date(grant.expiresAt))}
            </time>
            . The owner sees this access and your reason. Opening the report again counts as another access.
          </span>
          <Link to="/admin/support-grants" className="underline underline-offset-2">
            Support grants
          </Link>
        </p>
      </section>
      {report === null ? (
        <Page title={title}>
          <p>The scan is still running. Open the report again when it is complete.</p>
        </Page>
      ) : (
        <ReportReading report={report} isWhole documentTitle={title} expiresAt={expiresAt} />
      )}
    </>
  );
}
