/** Pending work: since when, why the last attempt failed, and what happens next. */
import type { LocalReport, SyncFailure } from '../store/local-report.ts';
import { listReports } from '../store/reports.ts';
import type { Store } from '../store/store.ts';
import type { Colours } from '../terminal/colours.ts';
import { localTime } from '../terminal/local-time.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { SyncTask, UnfinishedReport } from './unfinished.ts';

export interface PendingSync {
  readonly task: SyncTask;
  /** RFC 3339, UTC. */
  readonly since: string;
  /** Null when no attempt has failed. */
  readonly lastFailure: SyncFailure | null;
  /** A sentence that says what the next sync does. */
  readonly next: string;
}

const nextSentences: Readonly<Record<SyncTask, string>> = {
  send: 'svc sync sends it.',
  giveBack: 'svc sync releases its quota unit.',
  giveUp: 'svc sync aborts it and releases its quota unit.',
  tell: 'svc sync delivers its progress.',
};

/** @param next a sentence to use instead of the usual one for the task. */
export function pendingOf(
  { report, task }: UnfinishedReport,
  next: string = nextSentences[task],
): PendingSync {
  const { scan, createdAt, sync } = report;
  return { task, since: scan.finishedAt ?? createdAt, lastFailure: sync.lastFailure ?? null, next };
}

const states: Readonly<Record<SyncTask, string>> = {
  send: 'finished',
  giveBack: 'aborted',
  giveUp: 'cut off; started',
  tell: 'started',
};

/** For people: `finished 2026-03-04 05:06; last tried 2026-03-04 05:07: The quota is used up.` */
export function pendingText({ task, since, lastFailure }: PendingSync): string {
  const state = `${states[task]} ${localTime(since)}`;
  return lastFailure === null
    ? `${state}; not tried yet`
    : `${state}; last tried ${localTime(lastFailure.at)}: ${failureText(lastFailure)}`;
}

function failureText({ code, message }: SyncFailure): string {
  return safeLine(message ?? code);
}

/**
 * Finished reports that only a sync that names them sends: they were kept local, were begun without quota, or will
 * never be accepted.
 */
export function keptReports(store: Store): LocalReport[] {
  return listReports(store, { states: ['finished'] }).filter(({ isSyncWanted }) => !isSyncWanted);
}

export function keptJson({ localReportId, projectName, sync }: LocalReport) {
  return { localReportId, projectName, lastFailure: sync.lastFailure ?? null };
}

/** The number of these reports, and a line for each that was rejected. */
export function keptLines(kept: readonly LocalReport[], { dim, yellow }: Colours): string[] {
  if (kept.length === 0) return [];
  const rejected = kept.flatMap(({ localReportId, projectName, sync: { lastFailure } }) =>
    lastFailure === undefined
      ? []
      : [
          `${yellow('!')} ${localReportId}  ${safeLine(projectName)}  will not be sent again: ${failureText(lastFailure)}`,
        ],
  );
  const reports = kept.length === 1 ? '1 finished report stays' : `${kept.length} finished reports stay`;
  return [...rejected, dim(`${reports} on this machine. To send one: svc sync --report ID`)];
}
