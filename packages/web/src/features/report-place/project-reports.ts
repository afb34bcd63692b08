/** The final reports of a project, newest first. */
import { useQuery } from '@tanstack/react-query';
import type { ListedReport } from '@svc/contract';
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
