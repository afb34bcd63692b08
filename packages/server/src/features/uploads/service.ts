/**
 * A report's body on its way in: declared, sent, and named when the report is made final.
 *
 * A report has one upload that counts, its newest; an older one is replaced by it, with what was received under it. What
 * is received is durable as a blob before the transaction that tells of it, so that a crash between the two leaves a blob
 * that nobody refers to and never a row without its blob. Each reception has a key of its own, and the report keeps the
 * last: replacing and expiring are forgetting a key.
 */
import { limits, type UploadDeclared, type UploadReceived } from '@svc/contract';
import { AppError } from '#app-error';
import { requireDevice } from '#features/devices';
import { lockOwnReport, requireOwnReport, updateReport, type ReportRow } from '#features/reports';
import { newBlobName, type Blobs } from '#platform/blobs/blobs';
import { isoTime, type Clock } from '#platform/clock';
import type { CreationCaps } from '#platform/creation-caps';
import type { Database, Tx } from '#platform/database/database';
import { isRecordId, type Ids } from '#platform/ids';
import { createShapeScanner } from '#platform/json-shape';
import { freeBytes } from '#platform/memory';
import type { ProjectKeys } from '#platform/project-keys';
import type { Random } from '#platform/random';
import { bodyContext, type ReportKeys } from '#platform/report-keys';
import { seal } from '#platform/sealing';
import type { DevicePrincipal } from '#principal';
import type { Admission } from './admission.ts';
import { bodyBounds } from './body-bounds.ts';
import type { BodyFacts, BodyRefusal, BodyToCheck } from './body-check.ts';
import type { BodyChecker } from './body-checker.ts';
import type { ContentsService } from './contents-service.ts';
import { closedBecause, type Closed } from './policy.ts';
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
}

export interface UploadParts {
  readonly admission: Admission;
  readonly checker: BodyChecker;
  readonly contents: Pick<ContentsService, 'destroy' | 'whileKeeping'>;
}

/** The bytes of a request that are still to be read. */
export interface IncomingBody {
  readonly declaredSize: number | null;
  read(
    keptMax: number,
    look: (chunk: Uint8Array) => void,
  ): Promise<{ readonly bytes: Uint8Array; readonly size: number; readonly sha256: Uint8Array }>;
}

export interface UploadService {
  /** @throws AppError BAD_REQUEST 413 past the limit; NOT_FOUND, REPORT_EXPIRED; CONFLICT once the report is final; RATE_LIMITED when too many are open. */
  declare(
    device: DevicePrincipal,
    reportId: string,
    given: { readonly sha256: string; readonly byteLength: number },
  ): Promise<UploadDeclared>;
  /**
   * @throws AppError NOT_FOUND, REPORT_EXPIRED, CONFLICT before anything is read; RATE_LIMITED; BAD_REQUEST,
   * REPORT_SCHEMA_UNSUPPORTED, UNSAFE_PAYLOAD_REJECTED for what was read.
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

  async function requireOpen(device: DevicePrincipal, uploadId: string): Promise<OpenUpload> {
    const upload = isRecordId('upl', uploadId) ? await store.findUpload(database.read, uploadId) : null;
    if (!upload) throw new AppError('NOT_FOUND');
    const now = clock.now();
    const report = await requireOwnReport(database.read, device, upload.reportId, now);
    refuseClosed(upload, report, now);
    return { upload, report };
  }

  /** Not counting the report's own, which the new one replaces. */
  async function refuseOneMore(tx: Tx, userId: string, reportId: string, now: number): Promise<void> {
    await database.lockNames(tx, [`upload intents ${userId}`]);
    const open = await store.countOpen(tx, { userId, otherThan: reportId, now });
    if (open.count < ports.caps.openUploadIntentsPerUser) return;
    throw new AppError('RATE_LIMITED', {
      message: `You have ${open.count} uploads that were declared and not sent. Send one of them, or try again later.`,
      retryAfterMs: Math.max(1, open.firstLapsesAt - now),
    });
  }

  async function keep(device: DevicePrincipal, { upload, report }: OpenUpload, body: BodyToCheck) {
    const blobName = newBlobName(random);
    const { key, wrapped } = reportKeys.make(report.id);
    const write = async () => {
      const sealed = seal(key, bodyContext(report.id, blobName), body.bytes, random);
      await blobs.put(blobName, sealed).finally(() => sealed.forEach(freeBytes));
    };
    await contents.whileKeeping(blobName, async () => {
      const { openFindings, findingMarks } = await (checker.needsWorker(body)
        ? writtenMeanwhile(body, blobName, write)
        : writtenAfterwards(body, write));
      const change = {
        receivedAt: clock.now(),
        blobName,
        openFindings: JSON.stringify(openFindings),
        findingMarks,
      };
      const isKept = await marked(device, upload, change, wrapped).catch(async (error: unknown) => {
        // Only where it is certain that nothing was committed; what a broken connection leaves open, the sweep decides.
        if (error instanceof AppError) await blobs.delete(blobName);
        throw error;
      });
      if (!isKept) await blobs.delete(blobName);
    });
  }

  async function writtenAfterwards(body: BodyToCheck, write: () => Promise<void>): Promise<BodyFacts> {
    const facts = await accepted(body);
    await write();
    return facts;
  }

  /** A large body is sealed and written while it is checked. Should it be refused, nobody has the key of what was written. */
  async function writtenMeanwhile(
    body: BodyToCheck,
    blobName: string,
    write: () => Promise<void>,
  ): Promise<BodyFacts> {
    const writing = write();
    // Its failure is looked at once the check is done, and must not end the process before.
    writing.catch(() => undefined);
    try {
      const facts = await accepted(body);
      await writing;
      return facts;
    } catch (error) {
      await Promise.allSettled([writing]);
      await blobs.delete(blobName);
      throw error;
    }
  }

  async function accepted(body: BodyToCheck): Promise<BodyFacts> {
    const outcome = await checker.check(body);
    if (!outcome.ok) throw refused(outcome.refusal);
    return outcome.facts;
  }

  /** Decides anew, since all may have changed while the body came. False when the same bytes were received meanwhile. */
  function marked(
    device: DevicePrincipal,
    { id, reportId }: UploadRow,
    change: store.UploadChange,
    wrappedKey: Uint8Array,
  ): Promise<boolean> {
    return database.transaction(async (tx) => {
      const now = clock.now();
      await requireDevice(tx, device, clock.now());
      const report = await lockOwnReport(tx, device, reportId, now);
      const upload = await store.findUpload(tx, id);
      if (!upload) throw new AppError('NOT_FOUND');
      refuseClosed(upload, report, now);
      if (upload.receivedAt !== null) return false;
      await updateReport(tx, reportId, { wrappedKey });
      await store.updateUpload(tx, id, change);
      return true;
    });
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
        const report = await lockOwnReport(tx, device, reportId, now);
        if (report.state !== 'live') throw new AppError('CONFLICT', { message: closedMessages.final });
        await refuseOneMore(tx, device.userId, reportId, now);
        await store.replaceUploads(tx, reportId, now);
        await contents.destroy(tx, [reportId]);
        if (report.wrappedKey !== null) await updateReport(tx, reportId, { wrappedKey: null });
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
      const open = await requireOpen(device, uploadId);
      const { sizeBytes, sha256, receivedAt } = open.upload;
      if (incoming.declaredSize !== null && incoming.declaredSize !== sizeBytes) throw otherBytes();
      const leave = await admission.enter(device.userId, sizeBytes);
      let received: Awaited<ReturnType<IncomingBody['read']>> | undefined;
      try {
        const scanner = createShapeScanner(bodyBounds(sizeBytes));
        received = await incoming.read(sizeBytes, (chunk) => scanner.add(chunk));
        if (received.size !== sizeBytes || !Buffer.from(sha256).equals(received.sha256)) throw otherBytes();
        if (receivedAt === null) {
          const { localReportId, projectId } = open.report;
          const findingKey = ports.projectKeys.ofFindings(projectId);
          const { bytes } = received;
          await keep(device, open, { bytes, shape: scanner.shape(), localReportId, findingKey });
        }
        return { uploadId, received: true, bytes: sizeBytes };
      } finally {
        if (received !== undefined) freeBytes(received.bytes);
        leave();
      }
    },
  };
}

const closedMessages: Record<Closed, string> = {
  final: 'The report is final.',
  replaced: 'A newer upload of this report was declared. Send the report there.',
  lapsed: 'This upload was declared too long ago. Declare it anew.',
};

function refuseClosed(upload: UploadRow, report: ReportRow, now: number): void {
  const closed = closedBecause(upload, report, now);
  if (closed !== null) throw new AppError('CONFLICT', { message: closedMessages[closed] });
}

function otherBytes(): AppError {
  return new AppError('BAD_REQUEST', {
    message: 'The bytes are not the ones that were declared: their number or their digest differs.',
  });
}

function refused({ code, message, issues }: BodyRefusal): AppError {
  return new AppError(code, {
    ...(message === undefined ? {} : { message }),
    ...(issues === undefined ? {} : { details: { issues } }),
  });
}
