/**
 * Sends the frozen bytes: declared, then sent, and each answer written down before the next call. What was received is
 * not sent again. Bytes that the service finds unsafe are cleaned where it says, frozen anew and declared anew.
 */
import type { Failure } from '@svc/client';
import type { ErrorCode } from '@svc/contract';
import { refusal } from '../connection/refusal.ts';
import { CliError } from '../errors.ts';
import { frozenReport, type FrozenReport } from '../store/freezing.ts';
import { forgetUpload, recordReceived, recordUpload } from '../store/sync-state.ts';
import { reportIn, type SyncContext } from './context.ts';
import type { Hold } from './holding.ts';
import { pause } from './pause.ts';
import { repair } from './repair.ts';
import { refused } from './refused.ts';
import { tooLarge } from './too-large.ts';

/** Declarations that others replaced or that lapsed, before it is given up for now. */
const DECLARATIONS_MAX = 6;
/** Doubles with each: two machines that send one report would otherwise replace each other's for ever. */
const FIRST_PAUSE_MS = 150;

export interface Uploaded {
  /** `finalized`: the service has the whole report already. */
  readonly state: 'received' | 'finalized';
  /** Places that were cleaned because the service asked for it. */
  readonly repairs: number;
}

/** @throws CliError */
export async function upload(context: SyncContext, localReportId: string, hold: Hold): Promise<Uploaded> {
  let repairs = 0;
  let isLastRepair = false;
  for (let declarations = 0; ;) {
    hold.confirm();
    const frozen = requireFrozen(context, localReportId);
    const { sync } = reportIn(context.store, localReportId);
    const isDeclared = sync.uploadId !== undefined && sync.uploadSha256 === frozen.sha256;
    if (isDeclared && sync.isReceived) return { state: 'received', repairs };
    let uploadId = isDeclared ? sync.uploadId : undefined;
    if (uploadId === undefined) {
      declarations += 1;
      if (declarations > DECLARATIONS_MAX) throw crowdedOut();
      if (declarations > 1) await pause(Math.random() * FIRST_PAUSE_MS * 2 ** declarations, context);
      uploadId = await declare(context, localReportId, frozen);
      if (uploadId === undefined) return { state: 'finalized', repairs };
    }
    const outcome = await send(context, uploadId, frozen);
    if (outcome.ok) {
      recordReceived(context.store, localReportId, uploadId);
      continue;
    }
    forgetUpload(context.store, localReportId, uploadId);
    if (isRenewable(outcome)) continue;
    if (outcome.error.code !== 'UNSAFE_PAYLOAD_REJECTED' || isLastRepair)
      throw uploadRefused(outcome, context, localReportId, frozen);
    const repaired = repair(context.store, localReportId, outcome.error, hold.lease);
    repairs += repaired.places;
    isLastRepair = !repaired.mayBeMore;
  }
}

function requireFrozen({ store }: SyncContext, localReportId: string): FrozenReport {
  const frozen = frozenReport(store, localReportId);
  if (frozen !== undefined) return frozen;
  throw new CliError('failed', `The report ${localReportId} is not finished.`, {
    hint: `End the scan first: svc scan finish --report ${localReportId}`,
  });
}

/** @returns undefined when the report takes no upload any more: it is final. */
async function declare(
  context: SyncContext,
  localReportId: string,
  frozen: FrozenReport,
): Promise<string | undefined> {
  const { store, connection } = context;
  const { reportId = '' } = reportIn(store, localReportId).sync;
  const { bytes, sha256 } = frozen;
  const outcome = await connection.attempt('createUploadIntent', {
    params: { id: reportId },
    body: { sha256, byteLength: bytes.byteLength },
  });
  if (!outcome.ok) {
    if (outcome.error.code === 'CONFLICT') return undefined;
    throw uploadRefused(outcome, context, localReportId, frozen);
  }
  const { uploadId } = outcome.body;
  recordUpload(store, localReportId, { uploadId, sha256 });
  return uploadId;
}

function send({ connection }: SyncContext, uploadId: string, { bytes }: FrozenReport) {
  return connection.attempt('uploadReport', {
    params: { uploadId },
    bytes: bytes as Uint8Array<ArrayBuffer>,
  });
}

/** Replaced, lapsed or unknown: the same bytes under a new declaration will do. */
function isRenewable({ error, status }: Failure<string>): boolean {
  if (error.code === 'BAD_REQUEST') return status !== 413;
  return error.code === 'CONFLICT' || error.code === 'NOT_FOUND';
}

function uploadRefused(
  outcome: Failure<string>,
  context: SyncContext,
  localReportId: string,
  { bytes }: FrozenReport,
): CliError {
  const { error, status } = outcome;
  if (error.code === 'BAD_REQUEST' && status === 413) return tooLarge(bytes, localReportId, error.requestId);
  if (error.code !== 'UNSAFE_PAYLOAD_REJECTED') return refused(outcome, context, localReportId);
  const { details } = refusal(outcome, context.connection.origin);
  return new CliError('failed', 'The service holds parts of the report for unsafe and does not take it.', {
    code: error.code as ErrorCode,
    requestId: error.requestId,
    details,
    hint: `Nothing was sent. Look at these places: svc report show --report ${localReportId} --json`,
  });
}

function crowdedOut(): CliError {
  return new CliError('unavailable', 'The upload was refused each time it was begun anew.', {
    hint: 'The report stays on this machine. When no other svc is sending it: svc sync',
  });
}
