/**
 * Shares whose report has ended. Their policies are deleted with the report. The columns that decide who gets
 * REPORT_EXPIRED stay for a while, and then the whole share is deleted.
 */
import { limits } from '@svc/contract';
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Job } from '#platform/sweeper';
import * as store from './store.ts';

const SWEPT_EVERY_MS = 60_000;
const FORGOTTEN_AT_ONCE = 500;

/** Runs in the transaction in which the reports end. */
export async function endShares(tx: Tx, reportIds: readonly string[], now: number): Promise<void> {
  await store.makeTombstones(tx, reportIds, now);
}

export function forgettingJob({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): Job {
  return {
    name: 'shares of ended reports',
    everyMs: SWEPT_EVERY_MS,
    async run() {
      const endedBefore = clock.now() - limits.share.tombstoneLifetimeMs;
      while (await store.forgetTombstones(database.read, endedBefore, FORGOTTEN_AT_ONCE));
    },
  };
}
