/** The pending reports of this machine, and the task for each. */
import { limits } from '@svc/contract';
import { cutOffScans } from '../scan/cut-off.ts';
import { undeliveredEvents } from '../store/events.ts';
import { ownerOf } from '../store/leases.ts';
import type { LocalReport } from '../store/local-report.ts';
import { listReports } from '../store/reports.ts';
import type { Store } from '../store/store.ts';
import { hasShellToGiveBack } from './give-back.ts';

/** `tell`: the scan continues, and its progress so far is delivered. */
export type SyncTask = 'send' | 'giveBack' | 'giveUp' | 'tell';

export interface UnfinishedReport {
  readonly report: LocalReport;
  readonly task: SyncTask;
}

/** The reports, oldest first. */
export function unfinishedReports(store: Store): UnfinishedReport[] {
  return store.read(() => {
    const cutOff = new Set(cutOffScans(store).map(({ localReportId }) => localReportId));
    return listReports(store, { states: ['scanning', 'finished', 'aborted'] })
      .toReversed()
      .flatMap((report) => {
        const task = cutOff.has(report.localReportId) ? 'giveUp' : taskOf(store, report);
        return task === undefined || (task !== 'giveBack' && task !== 'giveUp' && !report.isSyncWanted)
          ? []
          : [{ report, task }];
      });
  });
}

/** After this time, an unfinished scan should no longer occupy a unit of the quota. */
const RECENT_MS = limits.reservationLifetimeMs;

function isRecent({ createdAt }: LocalReport): boolean {
  return Date.now() - Date.parse(createdAt) < RECENT_MS;
}

/** Undefined when nothing is pending. */
export function taskOf(store: Store, report: LocalReport): SyncTask | undefined {
  const { localReportId, state, sync } = report;
  switch (state) {
    case 'finished':
      return 'send';
    case 'aborted':
      return hasShellToGiveBack(report) ? 'giveBack' : undefined;
    case 'scanning':
      // A running scan delivers its own progress.
      if (ownerOf(store, localReportId, Date.now()) !== undefined) return undefined;
      if (undeliveredEvents(store, localReportId, 1).length === 0) return undefined;
      return sync.reportId !== undefined || isRecent(report) ? 'tell' : undefined;
    case 'synced':
      return undefined;
  }
}
