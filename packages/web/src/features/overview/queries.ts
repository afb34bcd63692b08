/** Queries of the overview and the project pages, and their refetch intervals. */
import { DAY_MS } from '@svc/contract/durations';
import type { ListedReport, StoppedScan } from '@svc/contract';
import { query, type BodyFor } from '../../lib/api.ts';

const MOVING_EVERY_MS = 4000;
const STILL_EVERY_MS = 30_000;

/** Refetched while the page is visible, less often if the first report in the list is final. */
export function reportsQuery(projectId?: string) {
  return {
    ...query('listReports', projectId === undefined ? undefined : { query: { projectId } }),
    select: (body: BodyFor<'listReports'>) => inOrder(listedOnly(body)),
    refetchInterval: ({
      state,
    }: {
      readonly state: { readonly data?: BodyFor<'listReports'> | undefined };
    }) =>
      state.data && inOrder(listedOnly(state.data))[0]?.state === 'finalized'
        ? STILL_EVERY_MS
        : MOVING_EVERY_MS,
  };
}

/** Excludes the shorter form for devices, which the type allows. */
function listedOnly({ reports }: BodyFor<'listReports'>): ListedReport[] {
  return reports.filter((report) => 'access' in report);
}

/** Refetched while one of these reports is live, since the list of reports does not say that its scan has stopped. */
export function overviewQuery(workspaceId: string, reports: readonly ListedReport[]) {
  return {
    ...query('getWorkspaceOverview', { params: { id: workspaceId } }),
    throwOnError: false,
    refetchInterval: reports.some((report) => isRunning(report)) && STILL_EVERY_MS,
  };
}

/** Reports with a running scan first, then newest first. */
export function inOrder(
  reports: readonly ListedReport[],
  stopped: readonly StoppedScan[] = [],
): ListedReport[] {
  return reports.toSorted(
    (one, other) =>
      Number(isRunning(other, stopped)) - Number(isRunning(one, stopped)) ||
      timeOf(other).localeCompare(timeOf(one)),
  );
}

/** While it is unknown which scans have stopped, those older than a day count as stopped. */
function isRunning(
  { reportId, state, createdAt }: ListedReport,
  stopped: readonly StoppedScan[] = [],
): boolean {
  return (
    state === 'live' &&
    Date.now() - Date.parse(createdAt) < DAY_MS &&
    !stopped.some((scan) => scan.reportId === reportId)
  );
}

/** The time when the report reached its current state. */
export function timeOf({ finalizedAt, createdAt }: ListedReport): string {
  return finalizedAt ?? createdAt;
}
