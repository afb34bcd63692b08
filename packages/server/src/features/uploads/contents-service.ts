/**
 * The blobs of report bodies and prepared projections: reading, destroying and cleaning up. A blob that no row names is
 * an orphan. It is deleted only after the transaction that removed its name, or once it is too old to be waiting for
 * its own transaction.
 */
import { AppError } from '#app-error';
import { forgetProjections, preparedAmong } from '#features/projections';
import type { ReportRow } from '#features/reports';
import { BlobDamagedError, newBlobName, type Blobs } from '#platform/blobs/blobs';
import { HOUR_MS, MINUTE_MS, type Clock } from '#platform/clock';
import type { Database, Db, Tx } from '#platform/database/database';
import { describeError, type Log } from '#platform/log';
import { freeBytes } from '#platform/free-bytes';
import type { Random } from '#platform/random';
import { bodyContext, projectionContext, type ReportKeys } from '#platform/report-keys';
import { seal, SealBrokenError, unseal } from '#platform/sealing';
import type { Job } from '#platform/sweeper';
import * as store from './store.ts';

const SWEPT_AT_ONCE_MAX = 100;
const PENDING_SWEPT_EVERY_MS = MINUTE_MS;
const ORPHANS_SWEPT_EVERY_MS = 10 * MINUTE_MS;
/** Longer than any upload takes from its blob to its transaction. */
const ORPHAN_AGE_MS_MIN = HOUR_MS;

export interface ContentsPorts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly reportKeys: ReportKeys;
}

export type KeptReport = Pick<ReportRow, 'id' | 'wrappedKey' | 'uploadId'>;

export interface ContentsService {
  /**
   * The uploaded bytes of a finalized report.
   * @throws AppError REPORT_EXPIRED when the report has expired since the row was read.
   */
  readBytes(report: KeptReport): Promise<Uint8Array>;
  /**
   * The number of uploaded bytes, without reading them.
   * @throws AppError REPORT_EXPIRED as above.
   */
  sizeOf(report: Pick<KeptReport, 'uploadId'>): Promise<number>;
  /**
   * Marks the reports' blobs as pending deletion, in the transaction that deletes their keys. The blobs are deleted
   * right after the commit; the sweeper retries failures.
   */
  destroy(tx: Tx, reportIds: readonly string[]): Promise<void>;
  /** Deletes blobs that the database no longer names, once the transaction has committed. */
  deleteBlobs(tx: Tx, blobNames: readonly string[]): Promise<void>;
  /** Stores a prepared projection as a blob under the report's key, unless `record` returns false. */
  keepPrepared(
    report: Pick<KeptReport, 'id' | 'wrappedKey'>,
    bytes: Uint8Array,
    record: (blobName: string) => Promise<boolean>,
  ): Promise<void>;
  /** Null when the blob is missing or damaged. */
  readPrepared(report: Pick<KeptReport, 'id' | 'wrappedKey'>, blobName: string): Promise<Uint8Array | null>;
  /**
   * Protects a blob that is being stored and has no row yet: the sweep of orphans skips it until the promise is
   * settled.
   */
  whileKeeping<Result>(blobName: string, work: () => Promise<Result>): Promise<Result>;
  /** Resolves once the deletions after commits are done. Call it before the database is closed. */
  settled(): Promise<void>;
  readonly jobs: readonly Job[];
}

export function createContentsService(ports: ContentsPorts): ContentsService {
  const { database, blobs, clock, log, random, reportKeys } = ports;
  const db = database.read;
  const beingKept = new Set<string>();
  const deletions = new Set<Promise<void>>();

  const readBytes = createBodyReader(db, blobs, reportKeys);

  /** The row is deleted last, so that an interrupted deletion is repeated. */
  async function deletePending(blobNames: readonly string[]): Promise<void> {
    for (const blobName of blobNames) {
      await blobs.delete(blobName);
      await store.deletePendingDeletion(db, blobName);
    }
  }

  function deleteSoon(blobNames: readonly string[]): void {
    const deletion = deletePending(blobNames)
      .catch((error: unknown) => log.warn('blobs not deleted yet', { error: describeError(error) }))
      .finally(() => deletions.delete(deletion));
    deletions.add(deletion);
  }

  async function sweepPendingDeletions(): Promise<void> {
    for (;;) {
      const pending = await store.listPendingDeletions(db, SWEPT_AT_ONCE_MAX);
      await deletePending(pending);
      if (pending.length < SWEPT_AT_ONCE_MAX) return;
    }
  }

  async function sweepOrphans(): Promise<void> {
    const before = clock.now() - ORPHAN_AGE_MS_MIN;
    let names: string[] = [];
    const deleteOrphans = async () => {
      const uploaded = await store.referredTo(db, names);
      const prepared = await preparedAmong(db, names);
      for (const name of names) {
        if (!uploaded.has(name) && !prepared.has(name) && !beingKept.has(name)) await blobs.delete(name);
      }
      names = [];
    };
    for await (const name of blobs.list(before)) {
      names.push(name);
      if (names.length === SWEPT_AT_ONCE_MAX) await deleteOrphans();
    }
    if (names.length > 0) await deleteOrphans();
  }

  async function deleteBlobs(tx: Tx, blobNames: readonly string[]): Promise<void> {
    if (blobNames.length === 0) return;
    await store.markForDeletion(tx, blobNames, clock.now());
    database.afterCommit(tx, () => deleteSoon(blobNames));
  }

  async function whileKeeping<Result>(blobName: string, work: () => Promise<Result>): Promise<Result> {
    beingKept.add(blobName);
    try {
      return await work();
    } finally {
      beingKept.delete(blobName);
    }
  }

  return {
    readBytes,
    deleteBlobs,
    async keepPrepared({ id, wrappedKey }, bytes, record) {
      if (wrappedKey === null) throw new AppError('REPORT_EXPIRED');
      const blobName = newBlobName(random);
      const key = reportKeys.unwrap(id, wrappedKey);
      await whileKeeping(blobName, async () => {
        const sealed = seal(key, projectionContext(id, blobName), bytes, random);
        await blobs.put(blobName, sealed).finally(() => sealed.forEach(freeBytes));
        // After a broken connection the outcome is unknown, and the sweep of orphans decides.
        if (!(await record(blobName))) await blobs.delete(blobName);
      });
    },
    async readPrepared({ id, wrappedKey }, blobName) {
      if (wrappedKey === null) return null;
      try {
        const sealed = await blobs.get(blobName);
        if (sealed === null) return null;
        return unseal(reportKeys.unwrap(id, wrappedKey), projectionContext(id, blobName), sealed);
      } catch (error) {
        if (isDamage(error)) return null;
        throw error;
      }
    },
    async sizeOf({ uploadId }) {
      const kept = await store.findBody(db, uploadId);
      if (!kept) throw new AppError('REPORT_EXPIRED');
      return kept.sizeBytes;
    },
    async destroy(tx, reportIds) {
      const uploaded = await store.forgetReceived(tx, reportIds);
      await deleteBlobs(tx, [...uploaded, ...(await forgetProjections(tx, reportIds))]);
    },
    whileKeeping,

    async settled() {
      await Promise.all(deletions);
    },

    jobs: [
      { name: 'blobs pending deletion', everyMs: PENDING_SWEPT_EVERY_MS, run: sweepPendingDeletions },
      { name: 'orphan blobs', everyMs: ORPHANS_SWEPT_EVERY_MS, run: sweepOrphans },
    ],
  };
}

function isDamage(error: unknown): boolean {
  return error instanceof SealBrokenError || error instanceof BlobDamagedError;
}

/**
 * Reads the uploaded bytes of a finalized report.
 * @throws AppError REPORT_EXPIRED when the report has expired since the row was read; Error when its blob is missing or
 * damaged.
 */
export function createBodyReader(
  db: Db,
  blobs: Pick<Blobs, 'get'>,
  reportKeys: Pick<ReportKeys, 'unwrap'>,
): ContentsService['readBytes'] {
  return async ({ id, wrappedKey, uploadId }) => {
    const kept = await store.findBody(db, uploadId);
    if (wrappedKey === null || kept === null) throw new AppError('REPORT_EXPIRED');
    const { blobName } = kept;
    const sealed = await blobs.get(blobName).catch(asDamaged(id, blobName));
    if (sealed === null) {
      // The report may have expired meanwhile.
      if ((await store.findBody(db, uploadId)) === null) throw new AppError('REPORT_EXPIRED');
      throw new Error(`the body of report ${id} is missing (${blobName})`);
    }
    const key = reportKeys.unwrap(id, wrappedKey);
    try {
      return unseal(key, bodyContext(id, blobName), sealed);
    } catch (error) {
      return asDamaged(id, blobName)(error);
    }
  };
}

/** The log of a failed request has no address, so the error names what is damaged. */
function asDamaged(reportId: string, blobName: string): (error: unknown) => never {
  return (error) => {
    if (!isDamage(error)) throw error;
    const { message } = error as Error;
    throw new Error(`the body of report ${reportId} is damaged (${blobName}): ${message}`, { cause: error });
  };
}
