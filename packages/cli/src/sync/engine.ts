/**
 * Brings a finished report into the service: shell, events, bytes, final.
 *
 * Invariant: the store says what was achieved before the next step begins, and every step can be taken twice. So a sync
 * goes on from wherever an earlier one ended, whoever ran it and however it ended; what is repeated is at most the call
 * whose answer was not seen, and the service answers it as it did the first time. One process at a time works on a
 * report (holding.ts); should two do so nevertheless, the service lets one upload count and charges once.
 */
import { CliError } from '../errors.ts';
import type { LocalReport, SyncPhase } from '../store/local-report.ts';
import type { Lease } from '../store/leases.ts';
import { recordSyncFailure, recordSyncWish } from '../store/sync-state.ts';
import { reportIn, type SyncContext } from './context.ts';
import { adoptFinalized, finalize, isSentAsItIs } from './finalize.ts';
import { holding, type Hold } from './holding.ts';
import { deliverAll } from './outbox.ts';
import { kept } from './refused.ts';
import { ensureShell } from './shell.ts';
import { TooLargeError } from './too-large.ts';
import { upload } from './upload.ts';

/** Uploads that another process, or another machine, made worthless before they were final. */
const ROUNDS_MAX = 3;

export interface Synced {
  readonly report: LocalReport;
  /** Places that were cleaned because the service asked for it. */
  readonly repairs: number;
  /** False when the service has the report as it was before its last change. */
  readonly isCurrent: boolean;
}

export interface SyncOptions {
  /** Told before each step. */
  readonly onPhase?: (phase: SyncPhase) => void;
  /** Of a caller that holds the report already; given back in the end. */
  readonly lease?: Lease;
}

/** The steps, for a bar. */
export const SYNC_PHASES: readonly SyncPhase[] = ['create', 'progress', 'upload', 'finalize'];

/**
 * @returns undefined while another live process works on the report.
 * @throws CliError with what stood in the way, which is also written down; the report stays as it is.
 */
export async function syncReport(
  context: SyncContext,
  localReportId: string,
  { onPhase, lease }: SyncOptions = {},
): Promise<Synced | undefined> {
  const run = async (hold: Hold) => {
    let phase: SyncPhase = 'create';
    const enter = (next: SyncPhase) => {
      phase = next;
      onPhase?.(next);
    };
    try {
      return await send(context, localReportId, hold, enter);
    } catch (error) {
      noteFailure(context, localReportId, phase, error);
      throw error instanceof CliError ? kept(error) : error;
    }
  };
  return (await holding(context.store, localReportId, run, lease))?.result;
}

async function send(
  context: SyncContext,
  localReportId: string,
  hold: Hold,
  enter: (phase: SyncPhase) => void,
): Promise<Synced> {
  const present = reportIn(context.store, localReportId);
  if (present.state === 'synced') return { report: present, repairs: 0, isCurrent: true };
  enter('create');
  const shell = await ensureShell(context, localReportId);
  const synced = (report: LocalReport, repairs: number): Synced => ({
    report,
    repairs,
    isCurrent: isSentAsItIs(context, report),
  });
  if (shell.isFinalized) {
    const adopted = await adoptFinalized(context, localReportId);
    if (adopted) return synced(adopted, 0);
  }
  enter('progress');
  await deliverAll(context, localReportId);
  let repairs = 0;
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    enter('upload');
    const uploaded = await upload(context, localReportId, hold);
    repairs += uploaded.repairs;
    enter('finalize');
    const report =
      uploaded.state === 'finalized'
        ? await adoptFinalized(context, localReportId)
        : await finalize(context, localReportId, hold);
    if (report) return synced(report, repairs);
  }
  throw new CliError('unavailable', 'The report was not taken: other uploads of it came between.', {
    hint: 'The report stays on this machine. When no other svc is sending it: svc sync',
  });
}

function noteFailure({ store }: SyncContext, localReportId: string, phase: SyncPhase, error: unknown): void {
  const code = error instanceof CliError ? (error.code ?? error.reason) : 'failed';
  recordSyncFailure(store, localReportId, { code, at: new Date().toISOString(), phase });
  // No later sync can mend it; one that names the report may still try.
  if (code === 'REPORT_EXPIRED' || error instanceof TooLargeError)
    recordSyncWish(store, localReportId, false);
}
