/** Counts for the whole service; none is about one person, workspace or report. */
import { plans, type Activity, type AdminOverview } from '@svc/contract';
import { countSince } from '#features/audit';
import { DAY_MS, isoTime, type Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import { lowestTimedId } from '#platform/ids';
import * as store from './store.ts';

export interface OverviewService {
  get(): Promise<AdminOverview>;
}

export interface OverviewPorts {
  readonly database: Database;
  readonly clock: Clock;
}

export function createOverviewService({ database, clock }: OverviewPorts): OverviewService {
  const db = database.read;

  /** Ids begin with the time, so counting starts at the first possible id of the span and skips older rows. */
  async function activitySince(time: number): Promise<Activity> {
    const recorded = new Map(
      (await countSince(db, lowestTimedId('aud', time))).map(({ action, count }) => [action, count]),
    );
    return {
      signUps: await store.countAccountsSince(db, lowestTimedId('usr', time)),
      devicesLinked: await store.countDevicesSince(db, lowestTimedId('dev', time)),
      reportsSynced: await store.countSyncedSince(db, lowestTimedId('upl', time)),
      exports: recorded.get('report_exported') ?? 0,
      sharesMade: recorded.get('share_created') ?? 0,
      supportAccesses: recorded.get('support_used') ?? 0,
    };
  }

  return {
    async get() {
      const now = clock.now();
      const workspaces = await store.countWorkspaces(db);
      const sumOf = (column: 'kind' | 'plan', value: string) =>
        workspaces.reduce((sum, row) => (row[column] === value ? sum + row.count : sum), 0);
      const reports = new Map((await store.countReports(db)).map(({ state, count }) => [state, count]));
      return {
        at: isoTime(now),
        accounts: await store.countAccounts(db),
        devices: await store.countDevices(db),
        workspaces: { personal: sumOf('kind', 'personal'), team: sumOf('kind', 'team') },
        plans: Object.fromEntries(plans.map((plan) => [plan, sumOf('plan', plan)])) as AdminOverview['plans'],
        projects: await store.countProjects(db),
        reports: { live: reports.get('live') ?? 0, finalized: reports.get('finalized') ?? 0 },
        shares: await store.countShares(db, now),
        supportGrants: await store.countGrants(db, now),
        lastDay: await activitySince(now - DAY_MS),
        lastWeek: await activitySince(now - 7 * DAY_MS),
      };
    },
  };
}
