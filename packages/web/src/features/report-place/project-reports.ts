/** The final reports of a project, newest first, and what changed since the report that precedes a given one. */
import { useQuery } from '@tanstack/react-query';
import type { ListedReport, ReportComparison } from '@svc/contract';
import { query } from '../../lib/api.ts';

/** Empty while loading. */
export function useProjectReports(projectId: string): readonly ListedReport[] {
  const { data } = useQuery({ ...query('listReports', { query: { projectId } }), throwOnError: false });
  return (data?.reports ?? [])
    .filter((report) => 'access' in report)
    .filter(({ state }) => state === 'finalized')
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
}

export function reportBefore(reports: readonly ListedReport[], reportId: string): ListedReport | undefined {
  const at = reports.findIndex((report) => report.reportId === reportId);
  return at === -1 ? undefined : reports[at + 1];
}

export interface Since {
  readonly before: ListedReport;
  readonly comparison: ReportComparison;
}

/** Undefined for the first report of a project, and until both reports are compared. */
export function useChangesSince(reportId: string, projectId: string): Since | undefined {
  const before = reportBefore(useProjectReports(projectId), reportId);
  const { data } = useQuery({
    ...query('compareReports', { params: { id: reportId }, query: { with: before?.reportId ?? '' } }),
    enabled: before !== undefined,
    throwOnError: false,
  });
  return before && data && { before, comparison: data };
}
