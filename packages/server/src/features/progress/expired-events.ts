/**
 * Deletes the progress events of expired reports. A report can have millions, too many for the transaction that ends
 * it.
 */
import { lockExpiredWithEvents, updateReport } from '#features/reports';
import type { Database, Tx } from '#platform/database/database';
import type { Job } from '#platform/sweeper';
import * as store from './store.ts';

/** Small enough that no other transaction waits long. */
const DELETED_AT_ONCE_MAX = 2000;
/** Well within the minute for which content may outlive its report. */
const DELETED_EVERY_MS = 15_000;

export function expiredEventsJob(database: Database): Job {
  return {
    name: 'events of expired reports',
    everyMs: DELETED_EVERY_MS,
    async run() {
      while (await database.transaction(deleteSome));
    },
  };
}

/** Deletes the newest events of one report, and lowers its count. False when no expired report has events. */
async function deleteSome(tx: Tx): Promise<boolean> {
  const report = await lockExpiredWithEvents(tx);
  if (!report) return false;
  const lastEventNumber = Math.max(0, report.lastEventNumber - DELETED_AT_ONCE_MAX);
  await store.deleteEventsAfter(tx, report.id, lastEventNumber);
  await updateReport(tx, report.id, { lastEventNumber });
  return true;
}
