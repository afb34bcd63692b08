/** The last call: it makes the report final, and spends the unit that was reserved for it. */
import { CliError } from '../errors.ts';
import { frozenSha256 } from '../store/freezing.ts';
import type { LocalReport } from '../store/local-report.ts';
import { forgetUpload, recordFinalized } from '../store/sync-state.ts';
import { reportIn, type SyncContext } from './context.ts';
import type { Hold } from './holding.ts';
import { ownReport } from './own-report.ts';
import { refused } from './refused.ts';

/** @returns undefined when the upload no longer counts: the bytes are to be declared anew. */
export async function finalize(
  context: SyncContext,
  localReportId: string,
  hold: Hold,
): Promise<LocalReport | undefined> {
  hold.confirm();
  const { store, connection } = context;
  const { reportId = '', uploadId = '' } = reportIn(store, localReportId).sync;
  const outcome = await connection.attempt('finalizeReport', {
    params: { id: reportId },
    body: { uploadId },
  });
  if (outcome.ok) return recordFinalized(store, localReportId, outcome.body.finalizedAt);
  if (outcome.error.code !== 'CONFLICT') throw refused(outcome, context, localReportId);
  const adopted = await adoptFinalized(context, localReportId);
  if (adopted === undefined) forgetUpload(store, localReportId, uploadId);
  return adopted;
}

/** Takes over that the service has the report, which this machine was not told. Undefined when it is live. */
export async function adoptFinalized(
  { store, connection }: SyncContext,
  localReportId: string,
): Promise<LocalReport | undefined> {
  const { reportId, projectId } = reportIn(store, localReportId).sync;
  if (reportId === undefined || projectId === undefined) return undefined;
  const found = await ownReport(connection, { reportId, projectId });
  if (found?.state === 'live') return undefined;
  if (found?.finalizedAt) return recordFinalized(store, localReportId, found.finalizedAt);
  throw new CliError('failed', 'The report is gone in the service: it was deleted there.', {
    code: 'REPORT_EXPIRED',
    hint: `It stays on this machine: svc report show --report ${localReportId}`,
  });
}

/** Whether what the service has is what this machine has: a status may have changed after it was sent. */
export function isSentAsItIs({ store }: SyncContext, { localReportId, sync }: LocalReport): boolean {
  return sync.uploadSha256 === undefined || sync.uploadSha256 === frozenSha256(store, localReportId);
}
