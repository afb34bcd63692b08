/** The last call: it finalizes the report, and spends its reserved unit. */
import type { FinalizeBody } from '@svc/contract';
import { CliError } from '../errors.ts';
import type { LocalReport } from '../store/local-report.ts';
import { forgetUpload, recordFinalized } from '../store/sync-state.ts';
import { reportIn, type SyncContext } from './context.ts';
import type { ReportHold } from './holding.ts';
import { ownReport } from './own-report.ts';
import { rejected } from './rejected.ts';

/** @returns undefined when the upload is no longer current: declare the bytes again. */
export async function finalize(
  context: SyncContext,
  localReportId: string,
  hold: ReportHold,
): Promise<LocalReport | undefined> {
  hold.confirm();
  const { store, connection } = context;
  const {
    sync: { reportId = '', uploadId = '' },
    moves: previous = [],
  } = reportIn(store, localReportId);
  const ask = (body: FinalizeBody) =>
    connection.attempt('finalizeReport', { params: { id: reportId }, body });
  const whole = await ask({ uploadId, ...(previous.length > 0 && { previous: [...previous] }) });
  // A service that is older than this field rejects it.
  const isTooOld = !whole.ok && whole.error.code === 'VALIDATION_FAILED' && previous.length > 0;
  const outcome = isTooOld ? await ask({ uploadId }) : whole;
  if (outcome.ok) return recordFinalized(store, localReportId, outcome.body.finalizedAt);
  if (outcome.error.code !== 'CONFLICT') throw rejected(outcome, context, localReportId);
  const adopted = await adoptFinalized(context, localReportId);
  if (adopted === undefined) forgetUpload(store, localReportId, uploadId);
  return adopted;
}

/** Records a report that the service finalized although the response was lost. Undefined when it is not final yet. */
export async function adoptFinalized(
  { store, connection }: SyncContext,
  localReportId: string,
): Promise<LocalReport | undefined> {
  const { reportId, projectId } = reportIn(store, localReportId).sync;
  if (reportId === undefined || projectId === undefined) return undefined;
  const found = await ownReport(connection, { reportId, localReportId, projectId });
  if (found?.state === 'live') return undefined;
  if (found?.finalizedAt) return recordFinalized(store, localReportId, found.finalizedAt);
  throw new CliError('failed', 'The report was deleted in the service.', {
    code: 'REPORT_EXPIRED',
    hint: `It stays on this machine: svc report show --report ${localReportId}`,
  });
}
