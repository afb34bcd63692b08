/** Queries of the overview and the project pages, and their refetch intervals. */
import { DAY_MS } from '@svc/contract/durations';
import type { ListedReport } from '@svc/contract';
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

/** Reports with a running scan first, then newest first. A scan older than a day counts as abandoned. */
function inOrder(reports: readonly ListedReport[], now = Date.now()): ListedReport[] {
  const isRunning = ({ state, createdAt }: ListedReport) =>
    state === 'live' && now - Date.parse(createdAt) < DAY_MS;
  return reports.toSorted(
    (one, other) =>
      Number(isRunning(other)) - Number(isRunning(one)) || timeOf(other).localeCompare(timeOf(one)),
  );
}

/** The time when the report reached its current state. */
export function timeOf({ finalizedAt, createdAt }: ListedReport): string {
  return finalizedAt ?? createdAt;
}
