/** What on this machine waits for the service, and what is to be done about each. */
import { limits } from '@svc/contract';
import { cutOffScans } from '../scan/cut-off.ts';
import { undeliveredEvents } from '../store/events.ts';
import { ownerOf } from '../store/leases.ts';
import type { LocalReport } from '../store/local-report.ts';
import { listReports } from '../store/reports.ts';
import type { Store } from '../store/store.ts';
import { hasShellToGiveBack } from './give-back.ts';

/** `tell`: the scan goes on, and what it said so far is delivered. */
export type Task = 'send' | 'giveBack' | 'giveUp' | 'tell';

export interface Unfinished {
  readonly report: LocalReport;
  readonly task: Task;
}

/** Oldest first. */
export function unfinishedReports(store: Store): Unfinished[] {
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

/** A scan that nobody has ended for longer is not worth a unit of the quota until somebody does. */
const RECENT_MS = limits.reservationLifetimeMs;

function isRecent({ createdAt }: LocalReport): boolean {
  return Date.now() - Date.parse(createdAt) < RECENT_MS;
}

/** Undefined when nothing waits. */
export function taskOf(store: Store, report: LocalReport): Task | undefined {
  const { localReportId, state, sync } = report;
  switch (state) {
    case 'finished':
      return 'send';
    case 'aborted':
      return hasShellToGiveBack(report) ? 'giveBack' : undefined;
    case 'scanning':
      // A scan that a process runs delivers by itself.
      if (ownerOf(store, localReportId, Date.now()) !== undefined) return undefined;
      if (undeliveredEvents(store, localReportId, 1).length === 0) return undefined;
      return sync.reportId !== undefined || isRecent(report) ? 'tell' : undefined;
    case 'synced':
      return undefined;
  }
}
