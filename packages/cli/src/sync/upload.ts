/**
 * Uploads the frozen body: declares it, sends it, and stores each response before the next call. A received body is not
 * sent again. A body that the service finds unsafe is redacted at the places it names, and one above its size limit is
 * shortened. Both are then frozen and declared again.
 */
import type { Failure } from '@svc/client';
import type { ErrorCode } from '@svc/contract';
import { rejection } from '../connection/rejection.ts';
import { CliError } from '../errors.ts';
import type { SizeReduction } from '@svc/report/making/fit-size';
import { frozenReport, type FrozenReport } from '../store/freezing.ts';
import { forgetUpload, recordReceived, recordUpload } from '../store/sync-state.ts';
import { reportIn, type SyncContext } from './context.ts';
import type { ReportHold } from './holding.ts';
import { repair } from './repair.ts';
import { refit, reportBytesMaxOf } from './refit.ts';
import { rejected } from './rejected.ts';
import { tooLarge } from './too-large.ts';

export interface UploadResult {
  /** `finalized`: the service already has the whole report. */
  readonly state: 'received' | 'finalized';
  /** The number of places that were redacted because the service asked for it. */
  readonly repairs: number;
  /** What was left out because the service's limit was lower than assumed; null if nothing was. */
  readonly fitted: SizeReduction | null;
}

/**
 * @param beforeDeclaring may wait, or throw to end the upload.
 * @throws CliError
 */
export async function upload(
  context: SyncContext,
  localReportId: string,
  hold: ReportHold,
  beforeDeclaring: () => Promise<void>,
): Promise<UploadResult> {
  let repairs = 0;
  let isLastRepair = false;
  let fitted: SizeReduction | null = null;
  for (;;) {
    hold.confirm();
    const frozen = frozenReport(context.store, localReportId);
    if (frozen === undefined) throw notFinished(localReportId);
    const { sync } = reportIn(context.store, localReportId);
    const isDeclared = sync.uploadId !== undefined && sync.uploadSha256 === frozen.sha256;
    if (isDeclared && sync.isReceived) return { state: 'received', repairs, fitted };
    let uploadId = isDeclared ? sync.uploadId : undefined;
    if (uploadId === undefined) {
      await beforeDeclaring();
      const declared = await declare(context, localReportId, frozen);
      if (declared === 'final') return { state: 'finalized', repairs, fitted };
      if (typeof declared !== 'string') {
        fitted = madeToFit(declared, context, localReportId, hold, frozen);
        continue;
      }
      uploadId = declared;
    }
    const outcome = await context.connection.attempt('uploadReport', {
      params: { uploadId },
      bytes: frozen.bytes as Uint8Array<ArrayBuffer>,
    });
    if (outcome.ok) {
      recordReceived(context.store, localReportId, uploadId);
      continue;
    }
    forgetUpload(context.store, localReportId, uploadId);
    if (isRenewable(outcome)) continue;
    if (outcome.status === 413) {
      fitted = madeToFit(outcome, context, localReportId, hold, frozen);
      continue;
    }
    if (outcome.error.code !== 'UNSAFE_PAYLOAD_REJECTED' || isLastRepair)
      throw uploadRejected(outcome, context, localReportId);
    const repaired = repair(context.store, localReportId, outcome.error, hold.lease);
    repairs += repaired.places;
    isLastRepair = !repaired.mayBeMore;
  }
}

function notFinished(localReportId: string): CliError {
  return new CliError('failed', `The report ${localReportId} is not finished.`, {
    hint: `End the scan first: svc scan finish --report ${localReportId}`,
  });
}

/** @throws CliError when no limit below the report's size is named, or the report cannot be made to fit. */
function madeToFit(
  outcome: Failure<string>,
  { store }: SyncContext,
  localReportId: string,
  hold: ReportHold,
  { bytes }: FrozenReport,
): SizeReduction {
  const sizeBytesMax = reportBytesMaxOf(outcome);
  const fitted =
    sizeBytesMax === undefined || sizeBytesMax >= bytes.byteLength
      ? undefined
      : refit(store, localReportId, sizeBytesMax, hold.lease);
  if (fitted === undefined) throw tooLarge(bytes, localReportId, outcome.error.requestId);
  return fitted;
}

/**
 * @returns the id of the upload; `final` when the report accepts no more uploads; the rejection when it is too large.
 */
async function declare(
  context: SyncContext,
  localReportId: string,
  frozen: FrozenReport,
): Promise<string | Failure<string>> {
  const { store, connection } = context;
  const { reportId = '' } = reportIn(store, localReportId).sync;
  const { bytes, sha256 } = frozen;
  const outcome = await connection.attempt('createUploadIntent', {
    params: { id: reportId },
    body: { sha256, byteLength: bytes.byteLength },
  });
  if (!outcome.ok) {
    if (outcome.error.code === 'CONFLICT') return 'final';
    if (outcome.error.code === 'BAD_REQUEST' && outcome.status === 413) return outcome;
    throw uploadRejected(outcome, context, localReportId);
  }
  const { uploadId } = outcome.body;
  recordUpload(store, localReportId, { uploadId, sha256 });
  return uploadId;
}

/** Whether a new declaration of the same bytes helps: the upload was replaced, has lapsed or is unknown. */
function isRenewable({ error, status }: Failure<string>): boolean {
  if (error.code === 'BAD_REQUEST') return status !== 413;
  return error.code === 'CONFLICT' || error.code === 'NOT_FOUND';
}

function uploadRejected(outcome: Failure<string>, context: SyncContext, localReportId: string): CliError {
  const { error } = outcome;
  if (error.code !== 'UNSAFE_PAYLOAD_REJECTED') return rejected(outcome, context, localReportId);
  const { details } = rejection(outcome, context.connection.origin);
  return new CliError('failed', 'The service rejected the report: it contains unsafe content.', {
    code: error.code as ErrorCode,
    requestId: error.requestId,
    details,
    hint: `The report stays on this machine. Review these places: svc report show --report ${localReportId} --json`,
  });
}
