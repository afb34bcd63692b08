/** Deletes old reports that are no longer needed from this machine when a scan begins. */
import { pruneReports } from '../store/reports.ts';
import type { Store } from '../store/store.ts';
import { DAY_MS } from '../time.ts';

const KEPT_MS = 180 * DAY_MS;

export function pruneOld(store: Store): void {
  pruneReports(store, new Date(Date.now() - KEPT_MS).toISOString());
}
