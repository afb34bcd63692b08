/** Uploads the report of a dropped log: shell, body, finalize. What was not finalized is deleted. */
import type { Client } from '@svc/client';
import { limits } from '@svc/contract/limits';
import { sizeBytesMaxIn } from '@svc/report/making/size-limit';
import type { LogReportOptions } from '@svc/report/making/report-of-log';
import { isApiError } from '../../lib/api.ts';
import type { DroppedLog } from './dropped-log.ts';
import { host } from './own-host.ts';
import {
  approveLink,
  bodyOf,
  discardReport,
  randomHex,
  type UploadCredential,
  type UploadLink,
} from './upload-link.ts';
import type { MadeBody } from './worker-messages.ts';

export interface UploadTarget {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly projectName: string;
}

export interface UploadOptions {
  readonly log: DroppedLog;
  readonly link: UploadLink;
  readonly userId: string;
  readonly target: UploadTarget;
  /** On abort the upload ends, and nothing of it is kept. */
  readonly signal: AbortSignal;
}

/** @returns the id of the finalized report. @throws ApiError, ConnectionError, and Error when no report can be made. */
export async function uploadLog({ log, link, userId, target, signal }: UploadOptions): Promise<string> {
  const credential = await approveLink(link, userId);
  const begun: Begun = { credential, reportId: undefined };
  const leave = () => void end(begun);
  addEventListener('pagehide', leave);
  try {
    signal.throwIfAborted();
    const reportId = await send(begun, log, target, signal);
    begun.reportId = undefined;
    return reportId;
  } finally {
    removeEventListener('pagehide', leave);
    await end(begun);
  }
}

interface Begun {
  readonly credential: UploadCredential;
  /** The id of the report while it is live. */
  reportId: string | undefined;
}

async function end({ credential, reportId }: Begun): Promise<void> {
  await Promise.all([...(reportId === undefined ? [] : [discardReport(reportId)]), credential.revoke()]);
}

async function send(
  begun: Begun,
  log: DroppedLog,
  { workspaceId, projectId, projectName }: UploadTarget,
  signal: AbortSignal,
): Promise<string> {
  const { client } = begun.credential;
  const startedAt = new Date().toISOString();
  const described = {
    localReportId: `r${randomHex(16)}`,
    projectName,
    effortRequested: 'auto',
    effortResolved: 'high',
    agent: { name: 'svc', version: host.cliVersion },
    host,
  } as const;
  const body = { workspaceId, projectId, ...described };
  const { reportId } = bodyOf(await client.createReport({ body, signal }));
  begun.reportId = reportId;
  const options: LogReportOptions = {
    ...described,
    authorization: { basis: 'owner', scope: ['Everything in the repository.'] },
    startedAt,
    at: new Date().toISOString(),
    sizeBytesMax: limits.reportBytesMaxDefault,
  };
  const uploadId = await sendBody(
    client,
    reportId,
    (sizeBytesMax) => log.reportOf(sizeBytesMax === undefined ? options : { ...options, sizeBytesMax }),
    signal,
  );
  bodyOf(await client.finalizeReport({ params: { id: reportId }, body: { uploadId }, signal }));
  return reportId;
}

/**
 * If the service has a lower limit, its rejection names the limit, and a shorter report is sent.
 *
 * @returns the id of the upload
 */
async function sendBody(
  client: Client,
  reportId: string,
  make: (sizeBytesMax?: number) => Promise<MadeBody>,
  signal: AbortSignal,
): Promise<string> {
  const made = await make();
  try {
    return await sendOnce(client, reportId, made, signal);
  } catch (error) {
    const sizeBytesMax =
      isApiError(error) && error.status === 413 ? sizeBytesMaxIn(error.message) : undefined;
    if (sizeBytesMax === undefined) throw error;
    return sendOnce(client, reportId, await make(sizeBytesMax), signal);
  }
}

async function sendOnce(
  client: Client,
  reportId: string,
  { blob, declared }: MadeBody,
  signal: AbortSignal,
): Promise<string> {
  const { uploadId } = bodyOf(
    await client.createUploadIntent({ params: { id: reportId }, body: declared, signal }),
  );
  bodyOf(await client.uploadReport({ params: { uploadId }, bytes: blob, signal }));
  return uploadId;
}
