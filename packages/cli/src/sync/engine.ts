/**
 * Syncs a finished report: shell, events, body, finalize.
 *
 * Invariant: the store records the result of each step before the next begins, and every step can be repeated. So a sync
 * continues wherever an earlier one ended, whichever process ran it and however it ended. At most the call whose
 * response was lost is repeated, and the service returns the same again. One process at a time works on a report
 * (holding.ts). If two ever do, the service counts only one upload and charges once.
 */
import { CliError } from '../errors.ts';
import type { SizeReduction } from '@svc/report/making/fit-size';
import { frozenSha256 } from '../store/freezing.ts';
import type { LocalReport, SyncPhase } from '../store/local-report.ts';
import type { Lease } from '../store/leases.ts';
import { recordSyncWish } from '../store/sync-state.ts';
import { reportIn, type SyncContext } from './context.ts';
import { adoptFinalized, finalize } from './finalize.ts';
import { holding, type ReportHold } from './holding.ts';
import { noteFailure } from './last-failure.ts';
import { deliverAll } from './outbox.ts';
import { kept } from './rejected.ts';
import { ensureShell } from './shell.ts';
import { TooLargeError } from './too-large.ts';
import { upload } from './upload.ts';

export interface SyncedReport {
  readonly report: LocalReport;
  /** The number of places that were redacted because the service asked for it. */
  readonly repairs: number;
  /** False when the service has the report as it was before its last change. */
  readonly isCurrent: boolean;
  /** What this sync left out of the report for the service's size limit; null if nothing. */
  readonly fitted: SizeReduction | null;
}

export interface SyncOptions {
  /** Called before each step. */
  readonly onPhase?: (phase: SyncPhase) => void;
  /** The lease of a caller that already has it; released at the end. */
  readonly lease?: Lease;
}

/** The steps, for a bar. */
export const SYNC_PHASES: readonly SyncPhase[] = ['create', 'progress', 'upload', 'finalize'];

/**
 * @returns undefined while another live process works on the report.
 * @throws CliError with the failure, which is also stored; the report keeps its state.
 */
export async function syncReport(
  context: SyncContext,
  localReportId: string,
  { onPhase, lease }: SyncOptions = {},
): Promise<SyncedReport | undefined> {
  const run = async (hold: ReportHold) => {
    let phase: SyncPhase = 'create';
    const enter = (next: SyncPhase) => {
      phase = next;
      onPhase?.(next);
    };
    try {
      return await send(context, localReportId, hold, enter);
    } catch (error) {
      noteFailure(context.store, localReportId, phase, error);
      giveUpTrying(context, localReportId, error);
      throw error instanceof CliError ? kept(error) : error;
    }
  };
  return (await holding(context.store, localReportId, run, lease))?.result;
}

async function send(
  context: SyncContext,
  localReportId: string,
  hold: ReportHold,
  enter: (phase: SyncPhase) => void,
): Promise<SyncedReport> {
  const present = reportIn(context.store, localReportId);
  if (present.state === 'synced') return { report: present, repairs: 0, isCurrent: true, fitted: null };
  enter('create');
  const shell = await ensureShell(context, localReportId);
  let fitted: SizeReduction | null = null;
  const synced = (report: LocalReport, repairs: number): SyncedReport => ({
    report,
    repairs,
    fitted,
    // A status may have changed after the report was sent.
    isCurrent: [undefined, frozenSha256(context.store, localReportId)].includes(report.sync.uploadSha256),
  });
  if (shell.isFinalized) {
    const adopted = await adoptFinalized(context, localReportId);
    if (adopted) return synced(adopted, 0);
  }
  enter('progress');
  await deliverAll(context, localReportId);
  let repairs = 0;
  const beforeDeclaring = declarationsOf(context);
  for (;;) {
    enter('upload');
    const uploaded = await upload(context, localReportId, hold, beforeDeclaring);
    repairs += uploaded.repairs;
    fitted = uploaded.fitted ?? fitted;
    enter('finalize');
    const report =
      uploaded.state === 'finalized'
        ? await adoptFinalized(context, localReportId)
        : await finalize(context, localReportId, hold);
    if (report) return synced(report, repairs);
  }
}

/**
 * The first declaration of an upload is free. Each further one is a retry: two machines that send one report would
 * otherwise replace each other's uploads forever.
 */
function declarationsOf({ connection, signal }: SyncContext): () => Promise<void> {
  let declarations = 0;
  return async () => {
    const attempt = declarations;
    declarations += 1;
    if (attempt === 0 || (await connection.retries.pause({ attempt, signal }))) return;
    throw new CliError('unavailable', 'The service rejected every upload of the report.', {
      hint: 'The report stays on this machine. When no other svc is sending it: svc sync',
    });
  };
}

/**
 * Keeps later syncs from trying again after a failure that they cannot fix. A sync that names the report may still try.
 */
function giveUpTrying({ store }: SyncContext, localReportId: string, error: unknown): void {
  const isGone = error instanceof CliError && error.code === 'REPORT_EXPIRED';
  if (isGone || error instanceof TooLargeError) recordSyncWish(store, localReportId, false);
}
