/** Old reports that are of no more use leave this machine when a scan begins. */
import { pruneReports } from '../store/reports.ts';
import type { Store } from '../store/store.ts';

const KEPT_MS = 180 * 24 * 60 * 60 * 1000;

export function pruneOld(store: Store): void {
  pruneReports(store, new Date(Date.now() - KEPT_MS).toISOString());
}
