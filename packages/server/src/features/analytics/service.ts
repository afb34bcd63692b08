/**
 * Counting events. Whose they are comes from the credential and is not kept; what they name must be the caller's, and is not
 * kept either. An event counts once for its account: a keyed digest of both is all that is remembered of it.
 */
import { createHmac } from 'node:crypto';
import { limits, type AnalyticsCount, type AnalyticsEvent } from '@svc/contract';
import { AppError } from '#app-error';
import { requireMembership } from '#features/workspaces';
import type { AnalyticsKeys } from '#platform/analytics-keys';
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Job } from '#platform/sweeper';
import type { Throttles } from '#platform/throttles';
import { countsOf, dayOf, firstDayOf, releaseOf, releasesCounted, toldOf } from './policy.ts';
import * as store from './store.ts';

const { analytics: bounds } = limits;
const BUDGET = { limit: bounds.eventsPerDayMax, windowMs: 86_400_000 };
const DIGEST_BYTES = 16;
const SWEPT_EVERY_MS = 3_600_000;
const FORGOTTEN_AT_ONCE = 1000;

export interface AnalyticsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly throttles: Throttles;
  readonly analyticsKeys: AnalyticsKeys;
  /** @throws AppError NOT_FOUND for a project that is not in a workspace of the user. */
  readonly requireProject: (userId: string, projectId: string) => Promise<unknown>;
  /** @throws AppError NOT_FOUND for a report that the user may not read; one that has expired is still theirs. */
  readonly requireReport: (userId: string, reportId: string) => Promise<unknown>;
}

export interface AnalyticsService {
  /**
   * Resolves to how many were not counted before.
   * @throws AppError FORBIDDEN when one of them names what is not the user's, RATE_LIMITED; then none is counted.
   */
  count(userId: string, events: readonly AnalyticsEvent[]): Promise<number>;
  /** Of the last days, today's among them; oldest first. */
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
      for (const id of named(events, 'reportId')) await ports.requireReport(userId, id);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') throw notHeld();
      throw error;
    }
  }

  /** Upper and lower case are one id; of events with one id the first counts. In the order of their digests. */
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
      await throttles.chargeSliding('analytics', userId, events.length, BUDGET);
      const given = byDigest(userId, events);
      const day = dayOf(clock.now());
      return database.transaction(async (tx) => {
        const releases = await releasesOf(database, tx, day, events);
        const digests = [...given.keys()].map((digest) => ({ digest: Buffer.from(digest, 'hex'), day }));
        const fresh = await store.insertSeen(tx, digests);
        const counted = fresh.flatMap((digest) => given.get(Buffer.from(digest).toString('hex')) ?? []);
        // Many want the rows of a day at once: each has them for the commit alone.
        if (counted.length > 0)
          database.beforeCommit(tx, () => store.addCounts(tx, countsOf(counted, day, releases)));
        return counted.length;
      });
    },

    async read(days) {
      const since = firstDayOf(clock.now(), Number(days ?? bounds.shownDaysDefault));
      const rows = await store.listCounts(database.read, since, bounds.countsListedMax);
      return rows.map(toldOf);
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

/** The releases that are counted by themselves. A day's new ones are let in one call at a time, so that they keep to the bound. */
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

/** The same for another's id, an unknown one and none at all. */
function notHeld(): AppError {
  return new AppError('FORBIDDEN', {
    message: 'An event names a workspace, a project or a report that is not yours. Nothing was counted.',
  });
}
