/** The last call: it finalizes the report, and spends its reserved unit. */
import { CliError } from '../errors.ts';
import type { LocalReport } from '../store/local-report.ts';
import { forgetUpload, recordFinalized } from '../store/sync-state.ts';
import { reportIn, type SyncContext } from './context.ts';
import type { ReportHold } from './holding.ts';
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
  const outcome = await connection.attempt('finalizeReport', {
    params: { id: reportId },
    body: { uploadId, ...(previous.length > 0 && { previous: [...previous] }) },
  });
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
  const { reports } = (await connection.call('listReports', { query: { projectId, localReportId } })).body;
  const found = reports.find((report) => report.reportId === reportId);
  if (found?.state === 'live') return undefined;
  if (found?.finalizedAt) return recordFinalized(store, localReportId, found.finalizedAt);
  throw new CliError('failed', 'The report was deleted in the service.', {
    code: 'REPORT_EXPIRED',
    hint: `It stays on this machine: svc report show --report ${localReportId}`,
  });
}
