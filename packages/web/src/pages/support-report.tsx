/** A whole report, for the administrator who has a support grant for it. */
import type { SupportRead } from '@svc/contract';
import { Link, useParams } from '@tanstack/react-router';
import { NeedsGrant, Unread } from '../features/admin/support-obstacle.tsx';
import { useIsOver, useSupportRead } from '../features/admin/support-read.ts';
import { ReportReading } from '../features/reading/report-reading.tsx';
import { isRefusal } from '../lib/api.ts';
import { exactly } from '../lib/words.ts';
import { Page } from '../ui/page.tsx';
import { Waiting } from '../ui/waiting.tsx';

export function SupportReportPage() {
  const { id } = useParams({ from: '/administrator/admin/reports/$id' });
  const answer = useSupportRead(id);
  const isOver = useIsOver(answer);
  const { data, error, isFetching, refetch } = answer;
  if (isOver) return <NeedsGrant key="over" reportId={id} hasEnded />;
  if (data) return <Read key={id} read={data} />;
  if (isRefusal(error, 'SUPPORT_GRANT_REQUIRED')) return <NeedsGrant reportId={id} hasEnded={false} />;
  if (error !== null) return <Unread error={error} isBusy={isFetching} onRetry={() => void refetch()} />;
  return <Waiting what="the report" />;
}

function Read({ read }: { readonly read: SupportRead }) {
  const { report, expiresAt, grant } = read;
  const title = 'Report under a support grant';
  return (
    <>
      <section aria-label="Support access" className="bg-warn-soft px-4 py-2">
        <p className="mx-auto flex max-w-[100rem] flex-wrap justify-between gap-x-6 gap-y-1">
          <span>
            You read this under a support grant until{' '}
            <time dateTime={grant.expiresAt} className="font-strong">
              {exactly(new Date(grant.expiresAt))}
            </time>
            ; the owner sees this access and your reason. Opened again, it is another access.
          </span>
          <Link to="/admin/support-grants" className="underline underline-offset-2">
            Support grants
          </Link>
        </p>
      </section>
      {report === null ? (
        <Page title={title}>
          <p>The scan has not ended, so there is no report to read yet. Open it again once it is final.</p>
        </Page>
      ) : (
        <ReportReading report={report} isWhole documentTitle={title} expiresAt={expiresAt} />
      )}
    </>
  );
}
