/**
 * Counts events. The credential identifies the account, which is not stored. The ids in an event must name what the
 * caller can read, and are not stored either. An event counts once per account: only a keyed digest of both is stored.
 */
import { createHmac } from 'node:crypto';
import { limits, type AnalyticsCount, type AnalyticsEvent } from '@svc/contract';
import { AppError } from '#app-error';
import { requireMembership } from '#features/workspaces';
import type { AnalyticsKeys } from '#platform/analytics-keys';
import { HOUR_MS, type Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Job } from '#platform/sweeper';
import type { Throttles } from '#platform/throttles';
import { countsOf, dayOf, firstDayOf, releaseOf, releasesCounted, countAnswer } from './policy.ts';
import * as store from './store.ts';

const { analytics: bounds } = limits;
const DIGEST_BYTES = 16;
const SWEPT_EVERY_MS = HOUR_MS;
const FORGOTTEN_AT_ONCE = 1000;

export interface AnalyticsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly throttles: Throttles;
  readonly analyticsKeys: AnalyticsKeys;
  /** @throws AppError NOT_FOUND for a project that is not in a workspace of the user. */
  readonly requireProject: (userId: string, projectId: string) => Promise<unknown>;
  /** @throws AppError NOT_FOUND for a report that the user cannot read. An expired report counts as readable. */
  readonly requireReport: (needs: 'visible', userId: string, reportId: string) => Promise<unknown>;
}

export interface AnalyticsService {
  /**
   * Resolves to the number of events that were not counted before.
   * @throws AppError FORBIDDEN when an event names something that the user cannot read, RATE_LIMITED; then no event is
   * counted.
   */
  count(userId: string, events: readonly AnalyticsEvent[]): Promise<number>;
  /** The counts of the last days including today, oldest first. */
  read(days: string | undefined): Promise<AnalyticsCount[]>;
  readonly job: Job;
}

export function createAnalyticsService(ports: AnalyticsPorts): AnalyticsService {
  const { database, clock, throttles } = ports;
  const key = ports.analyticsKeys.ofSeenEvents();

  async function requireHeld(userId: string, events: readonly AnalyticsEvent[]): Promise<void> {
    try {
      for (const id of named(events, 'workspaceId')) await requireMembership(database.read, userId, id);
      for (const id of named(events, 'projectId')) await ports.requireProject(userId, id);
      for (const id of named(events, 'reportId')) await ports.requireReport('visible', userId, id);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') throw notHeld();
      throw error;
    }
  }

  /** The events in the order of their digests. Ids are compared without case, and the first of equal ids counts. */
  function byDigest(userId: string, events: readonly AnalyticsEvent[]): Map<string, AnalyticsEvent> {
    const found = new Map<string, AnalyticsEvent>();
    for (const event of events) {
      const mac = createHmac('sha256', key).update(`${userId} ${event.eventId.toLowerCase()}`).digest();
      const digest = mac.subarray(0, DIGEST_BYTES).toString('hex');
      if (!found.has(digest)) found.set(digest, event);
    }
    return new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  return {
    async count(userId, events) {
      await requireHeld(userId, events);
      await throttles.chargeSliding('analytics', userId, events.length);
      const given = byDigest(userId, events);
      const day = dayOf(clock.now());
      return database.transaction(async (tx) => {
        const releases = await releasesOf(database, tx, day, events);
        const digests = [...given.keys()].map((digest) => ({ digest: Buffer.from(digest, 'hex'), day }));
        const fresh = await store.insertSeen(tx, digests);
        const counted = fresh.flatMap((digest) => given.get(Buffer.from(digest).toString('hex')) ?? []);
        // Many calls need the rows of a day at the same time, so each locks them only for the commit.
        if (counted.length > 0)
          database.beforeCommit(tx, () => store.addCounts(tx, countsOf(counted, day, releases)));
        return counted.length;
      });
    },

    async read(days) {
      const since = firstDayOf(clock.now(), Number(days ?? bounds.shownDaysDefault));
      const rows = await store.listCounts(database.read, since, bounds.countsListedMax);
      return rows.map(countAnswer);
    },

    job: {
      name: 'old analytics',
      everyMs: SWEPT_EVERY_MS,
      async run() {
        const first = firstDayOf(clock.now(), bounds.keptDays);
        await store.deleteCountsBefore(database.read, first);
        let someLeft = true;
        while (someLeft) someLeft = await store.deleteSeenBefore(database.read, first, FORGOTTEN_AT_ONCE);
      },
    },
  };
}

/** The releases that are counted by name. Only one call at a time adds releases to a day, so that the limit holds. */
async function releasesOf(
  database: Database,
  tx: Tx,
  day: string,
  events: readonly AnalyticsEvent[],
): Promise<ReadonlySet<string>> {
  const given = [...new Set(events.map(({ clientVersion }) => releaseOf(clientVersion)))].filter(Boolean);
  const known = async () => new Set(given.length === 0 ? [] : await store.listVersions(tx, day));
  const before = await known();
  const isSettled = before.size >= bounds.versionsPerDayMax || given.every((release) => before.has(release));
  if (isSettled) return before;
  await database.lockNames(tx, ['releases of analytics']);
  return releasesCounted(await known(), given);
}

function named(
  events: readonly AnalyticsEvent[],
  field: 'workspaceId' | 'projectId' | 'reportId',
): ReadonlySet<string> {
  return new Set(events.flatMap((event) => event[field] ?? []));
}

/** The same error for a foreign id, an unknown id and an invalid one. */
function notHeld(): AppError {
  return new AppError('FORBIDDEN', {
    message: "An event names a workspace, project or report that you can't read. No event was counted.",
  });
}
