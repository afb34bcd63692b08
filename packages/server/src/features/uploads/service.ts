/**
 * Uploads a report's body: the client declares it, sends it, and names it when it finalizes the report.
 *
 * Only the newest upload of a report counts. It replaces an older upload together with the body received under it. A
 * received body is durable as a blob before the transaction that records it. So a crash between the two leaves an
 * orphan behind, and never a row without its blob. Each received body has a key of its own, and the report keeps only
 * the last key. So deleting a key is enough to make a replaced or expired body unreadable.
 */
import { limits, type UploadDeclared, type UploadReceived } from '@svc/contract';
import { AppError } from '#app-error';
import { requireDevice } from '#features/devices';
import { requireOwnReport, updateReport, type ReportRow } from '#features/reports';
import { newBlobName, type Blobs } from '#platform/blobs/blobs';
import { isoTime, type Clock } from '#platform/clock';
import type { CreationCaps } from '#platform/creation-caps';
import type { Database, Tx } from '#platform/database/database';
import { isRecordId, type Ids } from '#platform/ids';
import { freeBytes } from '#platform/free-bytes';
import type { ProjectKeys } from '#platform/project-keys';
import type { Random } from '#platform/random';
import { bodyContext, textsContext, type ReportKeys } from '#platform/report-keys';
import { prepareSealing, seal } from '#platform/sealing';
import type { DevicePrincipal } from '#principal';
import type { Admission } from './admission.ts';
import type { BodyRejection } from './body-check.ts';
import type { BodyChecker } from './body-checker.ts';
import type { ContentsService } from './contents-service.ts';
import * as store from './store.ts';
import type { UploadRow } from './store.ts';

export interface UploadPorts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly caps: CreationCaps;
  readonly reportKeys: ReportKeys;
  readonly projectKeys: ProjectKeys;
  readonly reportBytesMax: number;
  readonly apiBaseUrl: string;
  /**
   * Seals the messages of a locked report's shares under `key`, before the report gets that key.
   * @returns whether there are any messages.
   */
  readonly moveMessages: (tx: Tx, report: ReportRow, key: Uint8Array) => Promise<boolean>;
}

export interface UploadParts {
  readonly admission: Admission;
  readonly checker: BodyChecker;
  readonly contents: Pick<ContentsService, 'destroy' | 'whileKeeping'>;
}

/** The unread bytes of a request. */
export interface IncomingBody {
  readonly declaredSize: number | null;
  read(keptMax: number): Promise<{
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly size: number;
    readonly sha256: Uint8Array;
  }>;
}

export interface UploadService {
  /**
   * @throws AppError BAD_REQUEST 413 past the limit; NOT_FOUND, REPORT_EXPIRED; CONFLICT once the report is final;
   * RATE_LIMITED when too many uploads are open.
   */
  declare(
    device: DevicePrincipal,
    reportId: string,
    given: { readonly sha256: string; readonly byteLength: number },
  ): Promise<UploadDeclared>;
  /**
   * @throws AppError NOT_FOUND, REPORT_EXPIRED, CONFLICT, checked before and after the body is read; RATE_LIMITED;
   * BAD_REQUEST, REPORT_SCHEMA_UNSUPPORTED, UNSAFE_PAYLOAD_REJECTED for the body.
   */
  receive(device: DevicePrincipal, uploadId: string, incoming: IncomingBody): Promise<UploadReceived>;
}

interface OpenUpload {
  readonly upload: UploadRow;
  readonly report: ReportRow;
}

export function createUploadService(ports: UploadPorts, parts: UploadParts): UploadService {
  const { database, blobs, clock, random, ids, reportKeys, reportBytesMax } = ports;
  const { admission, checker, contents } = parts;

  /** Checks, seals and stores a body. */
  async function keep(
    device: DevicePrincipal,
    { upload, report }: OpenUpload,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    const blobName = newBlobName(random);
    const key = reportKeys.make();
    const check = async () => {
      const outcome = await checker.check({
        bytes,
        localReportId: report.localReportId,
        findingKey: ports.projectKeys.ofFindings(report.projectId),
        sealing: prepareSealing(key, bodyContext(report.id, blobName), random),
      });
      if (!outcome.ok) throw rejected(outcome.rejection);
      return outcome;
    };
    await contents.whileKeeping(blobName, async () => {
      const checked = check();
      const sealed = checked.then((accepted) => accepted.sealed);
      // The store prepares during the check. Neither is left under way when the other fails.
      const [, stored] = await Promise.allSettled([sealed, blobs.put(blobName, sealed)]);
      const { facts } = await checked;
      (await sealed).forEach(freeBytes);
      if (stored.status === 'rejected') throw stored.reason;
      const { findingSnapshots, findingFacts } = facts;
      const openFindings = JSON.stringify(facts.openFindings);
      const texts = seal(key, textsContext(report.id, upload.id), facts.findingTexts, random);
      const change = {
        receivedAt: clock.now(),
        blobName,
        openFindings,
        findingSnapshots,
        findingFacts,
        findingTexts: Buffer.concat(texts),
      };
      const isKept = await record(device, upload, change, key).catch(async (error: unknown) => {
        // Deletes the blob only when it is certain that nothing was committed. After a lost connection, the sweep of
        // orphans decides.
        if (error instanceof AppError) await blobs.delete(blobName);
        throw error;
      });
      if (!isKept) await blobs.delete(blobName);
    });
  }

  /**
   * Checks again, because everything may have changed while the body arrived. False when the same bytes were received
   * meanwhile.
   */
  function record(
    device: DevicePrincipal,
    { id, reportId }: UploadRow,
    change: store.UploadChange,
    key: Uint8Array,
  ): Promise<boolean> {
    return database.transaction(async (tx) => {
      const now = clock.now();
      await requireDevice(tx, device, clock.now());
      const report = await requireOwnReport(tx, device, reportId, now, 'lock');
      const upload = await store.findUpload(tx, id);
      if (!upload) throw new AppError('NOT_FOUND');
      rejectClosed(upload, report, now);
      if (upload.receivedAt !== null) return false;
      await ports.moveMessages(tx, report, key);
      await updateReport(tx, reportId, { wrappedKey: await reportKeys.wrap(tx, reportId, key) });
      await store.updateUpload(tx, id, change);
      return true;
    });
  }

  /** Destroys the key of a replaced body. Messages of shares get a key of their own until the next body arrives. */
  async function replaceKey(tx: Tx, report: ReportRow): Promise<void> {
    const key = reportKeys.make();
    const isNeeded = await ports.moveMessages(tx, report, key);
    const wrappedKey = isNeeded ? await reportKeys.wrap(tx, report.id, key) : null;
    await updateReport(tx, report.id, { wrappedKey });
  }

  return {
    async declare(device, reportId, { sha256, byteLength }) {
      if (byteLength > reportBytesMax)
        throw new AppError('BAD_REQUEST', {
          status: 413,
          message: `A report may have at most ${reportBytesMax} bytes.`,
        });
      const now = clock.now();
      const upload: UploadRow = {
        id: ids.timed('upl'),
        reportId,
        sha256: Buffer.from(sha256, 'hex'),
        sizeBytes: byteLength,
        createdAt: now,
        expiresAt: now + limits.uploadIntentLifetimeMs,
        receivedAt: null,
        blobName: null,
        replacedAt: null,
        openFindings: null,
      };
      await database.transaction(async (tx) => {
        const report = await requireOwnReport(tx, device, reportId, now, 'lock');
        if (report.state !== 'live') throw new AppError('CONFLICT', { message: closedMessages.final });
        await database.lockNames(tx, [`upload intents ${device.userId}`]);
        // The upload that the new one replaces does not count.
        const open = await store.countOpen(tx, { userId: device.userId, otherThan: reportId, now });
        if (open.count >= ports.caps.openUploadIntentsPerUser)
          throw new AppError('RATE_LIMITED', {
            message: `You have ${open.count} declared uploads that were not sent. Send one of them, or try again later.`,
            retryAfterMs: Math.max(1, open.firstLapsesAt - now),
          });
        if (await store.replaceUploads(tx, reportId, now)) await contents.destroy(tx, [reportId]);
        if (report.wrappedKey !== null) await replaceKey(tx, report);
        await store.insertUpload(tx, upload);
      });
      return {
        uploadId: upload.id,
        uploadUrl: `${ports.apiBaseUrl}/api/v1/uploads/${upload.id}`,
        maxBytes: reportBytesMax,
        expiresAt: isoTime(upload.expiresAt),
      };
    },

    async receive(device, uploadId, incoming) {
      const upload = isRecordId('upl', uploadId) ? await store.findUpload(database.read, uploadId) : null;
      if (!upload) throw new AppError('NOT_FOUND');
      const now = clock.now();
      const report = await requireOwnReport(database.read, device, upload.reportId, now);
      rejectClosed(upload, report, now);
      const { sizeBytes, sha256, receivedAt } = upload;
      if (incoming.declaredSize !== null && incoming.declaredSize !== sizeBytes) throw otherBytes();
      const leave = await admission.enter(device.userId, sizeBytes);
      let received: Awaited<ReturnType<IncomingBody['read']>> | undefined;
      try {
        received = await incoming.read(sizeBytes);
        if (received.size !== sizeBytes || !Buffer.from(sha256).equals(received.sha256)) throw otherBytes();
        if (receivedAt === null) await keep(device, { upload, report }, received.bytes);
        return { uploadId, received: true, bytes: sizeBytes };
      } finally {
        if (received !== undefined) freeBytes(received.bytes);
        leave();
      }
    },
  };
}

const closedMessages = {
  final: 'The report is final.',
  replaced: 'A newer upload of this report was declared. Send the report body there.',
  lapsed: 'This upload has expired. Declare it again.',
} as const;

/** @throws AppError CONFLICT when an upload accepts no body. */
function rejectClosed(upload: UploadRow, report: ReportRow, now: number): void {
  // A received body does not expire: it is kept until it is replaced or the report is final.
  const hasLapsed = upload.receivedAt === null && upload.expiresAt <= now;
  const reason =
    report.state !== 'live' ? 'final' : upload.replacedAt !== null ? 'replaced' : hasLapsed ? 'lapsed' : null;
  if (reason !== null) throw new AppError('CONFLICT', { message: closedMessages[reason] });
}

function otherBytes(): AppError {
  return new AppError('BAD_REQUEST', {
    message: 'The report body does not match its declaration: its length or its digest differs.',
  });
}

function rejected({ code, message, issues }: BodyRejection): AppError {
  return new AppError(code, {
    ...(message === undefined ? {} : { message }),
    ...(issues === undefined ? {} : { details: { issues } }),
  });
}
