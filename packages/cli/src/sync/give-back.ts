/** Deletes the live shell of an aborted scan, so that its unit is returned. Idempotent, and safe at any moment. */
import type { LocalReport } from '../store/local-report.ts';
import { forgetShell } from '../store/sync-state.ts';
import { CliError } from '../errors.ts';
import { reportIn, requireOwnService, type SyncContext } from './context.ts';
import { rejected } from './rejected.ts';
import { ensureShell } from './shell.ts';

/** Whether a shell exists, or may exist, that will never get a body. */
export function hasShellToGiveBack({ state, sync }: LocalReport): boolean {
  return state === 'aborted' && (sync.reportId !== undefined || sync.origin !== undefined);
}

/** @throws CliError when it failed; `svc sync` tries again later. */
export async function giveBack(context: SyncContext, localReportId: string): Promise<void> {
  const { store, connection } = context;
  const before = reportIn(store, localReportId);
  if (!hasShellToGiveBack(before)) return;
  requireOwnService(context, before);
  const reportId = before.sync.reportId ?? (await shellOfLostAnswer(context, localReportId));
  if (reportId !== undefined) {
    const outcome = await connection.attempt('deleteReport', { params: { id: reportId } });
    if (!outcome.ok && !isGone(outcome.error.code)) throw rejected(outcome, context, localReportId);
  }
  forgetShell(store, localReportId);
}

/**
 * The scan ended while a call to create the shell was under way. Repeating the call returns the shell that it created. If
 * the first call has not arrived yet, the repeated one creates the shell, and the first one then finds it deleted.
 */
async function shellOfLostAnswer(context: SyncContext, localReportId: string): Promise<string | undefined> {
  try {
    return (await ensureShell(context, localReportId)).report.sync.reportId;
  } catch (error) {
    const isNone =
      error instanceof CliError &&
      (error.reason === 'quotaReached' || (error.code !== undefined && isGone(error.code)));
    if (isNone) return undefined;
    throw error;
  }
}

function isGone(code: string): boolean {
  return code === 'REPORT_EXPIRED' || code === 'NOT_FOUND';
}
