/** When a finding was first seen, the reports that have it, and the same finding in the report before. */
import { useQuery } from '@tanstack/react-query';
import type { FindingAppearances, ProjectedFinding } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { query } from '../../lib/api.ts';
import { counted, exactTime } from '../../lib/format.ts';
import { Day, Time } from '../../ui/time.tsx';
import { reportBefore, useProjectReports } from './project-reports.ts';

export interface SeenBeforeProps {
  readonly finding: ProjectedFinding;
  readonly reportId: string;
  readonly projectId: string;
}

export function SeenBefore({ finding, reportId, projectId }: SeenBeforeProps) {
  const { id, firstSeenAt } = finding;
  const isFirstReport = reportBefore(useProjectReports(projectId), reportId) === undefined;
  const { data: appearances } = useQuery({
    ...query('listAppearances', { params: { id: reportId, findingId: id } }),
    throwOnError: false,
  });
  const before = appearances && appearanceBefore(appearances, reportId);
  // The line keeps its place while the reports are loading.
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-3 text-quiet pointer-coarse:min-h-11">
      {firstSeenAt === undefined ? null : (
        <span>
          First seen <Time at={firstSeenAt} />
        </span>
      )}
      {!isFirstReport && appearances && isNewIn(appearances, reportId) ? (
        <span>New in this report</span>
      ) : null}
      {before ? (
        <a
          href={`/reports/${before.reportId}?finding=${before.findingId}`}
          className="inline-flex min-h-6 items-center text-accent-text underline pointer-coarse:min-h-11"
        >
          <span>
            Also in the report of <Day at={before.finalizedAt} />
          </span>
        </a>
      ) : null}
      {appearances ? <SeenIn appearances={appearances} reportId={reportId} /> : null}
    </div>
  );
}

/** The newest report before this one that has the finding, among those that are listed. */
function appearanceBefore({ reports }: FindingAppearances, reportId: string) {
  const at = reports.findIndex((each) => each.reportId === reportId);
  return at === -1 ? undefined : reports[at + 1];
}

/** Whether the project first saw the finding in this report. */
function isNewIn({ firstSeenAt, reports }: FindingAppearances, reportId: string): boolean {
  const own = reports.find((each) => each.reportId === reportId);
  return own !== undefined && firstSeenAt !== null && own.finalizedAt <= firstSeenAt;
}

interface SeenInProps {
  readonly appearances: FindingAppearances;
  /** The report that is shown. */
  readonly reportId: string;
}

function SeenIn({ appearances, reportId }: SeenInProps) {
  const { total, isComplete, reports } = appearances;
  if (total === 0) return null;
  return (
    <details className="open:basis-full">
      <summary className="min-h-6 content-center pointer-coarse:min-h-11">
        {isComplete
          ? `Seen in ${counted(total, 'report')}`
          : `Seen in ${total.toLocaleString('en')} of the newest ${limits.appearances.searchedMax} reports`}
      </summary>
      <ol aria-label="Reports with this finding" className="mt-1 flex flex-wrap gap-x-4">
        {reports.map((each) => (
          <li key={each.reportId}>
            {each.reportId === reportId ? (
              <span>{exactTime(new Date(each.finalizedAt))}, this report</span>
            ) : (
              <a
                href={`/reports/${each.reportId}?finding=${each.findingId}`}
                className="inline-flex min-h-6 items-center text-accent-text underline pointer-coarse:min-h-11"
              >
                {exactTime(new Date(each.finalizedAt))}
              </a>
            )}
          </li>
        ))}
      </ol>
      <p className="text-small">
        {reports.length < total ? `The newest ${reports.length} are listed. ` : ''}
        Reports that expired or were deleted, and those of other branches, are not counted.
      </p>
    </details>
  );
}
