/** What the first page and the pages of projects ask for, and how often. */
import type { ListedReport } from '@svc/contract';
import { query, type BodyFor } from '../../lib/api.ts';

const MOVING_EVERY_MS = 4000;
const STILL_EVERY_MS = 30_000;
const DAY_MS = 24 * 3_600_000;

/** Asked for again and again while somebody looks, oftener while a scan runs. */
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

/** A device is told less, and is not who looks at pages. */
function listedOnly({ reports }: BodyFor<'listReports'>): ListedReport[] {
  return reports.filter((report) => 'access' in report);
}

/** Those whose scan runs first, then by time, newest first. A scan that was left for a day is none that runs. */
function inOrder(reports: readonly ListedReport[], now = Date.now()): ListedReport[] {
  const isRunning = ({ state, createdAt }: ListedReport) =>
    state === 'live' && now - Date.parse(createdAt) < DAY_MS;
  return reports.toSorted(
    (one, other) =>
      Number(isRunning(other)) - Number(isRunning(one)) || timeOf(other).localeCompare(timeOf(one)),
  );
}

/** When it came to its present state. */
export function timeOf({ finalizedAt, createdAt }: ListedReport): string {
  return finalizedAt ?? createdAt;
}
