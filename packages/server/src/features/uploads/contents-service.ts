/**
 * The text of reports where it is kept: read back, destroyed, and tidied up after. A blob that no upload refers to is
 * nobody's; one is deleted only after the transaction that let go of it, or once it is too old to be waiting for its own.
 */
import { AppError } from '#app-error';
import { forgetProjections, preparedAmong } from '#features/projections';
import type { ReportRow } from '#features/reports';
import { newBlobName, type Blobs } from '#platform/blobs/blobs';
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import { describeError, type Log } from '#platform/log';
import { freeBytes } from '#platform/memory';
import type { Random } from '#platform/random';
import { bodyContext, projectionContext, type ReportKeys } from '#platform/report-keys';
import { seal, SealBrokenError, unseal } from '#platform/sealing';
import type { Job } from '#platform/sweeper';
import * as store from './store.ts';

const SWEPT_AT_ONCE_MAX = 100;
const DOOMED_SWEPT_EVERY_MS = 60_000;
const ORPHANS_SWEPT_EVERY_MS = 600_000;
/** Longer than any upload takes from its blob to its transaction. */
const ORPHAN_AGE_MS_MIN = 3_600_000;

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
   * The bytes that were uploaded, for a report that is finalized.
   * @throws AppError REPORT_EXPIRED when it expired since the row was read.
   */
  readBytes(report: KeptReport): Promise<Uint8Array>;
  /**
   * How many they are, without reading them.
   * @throws AppError REPORT_EXPIRED as above.
   */
  sizeOf(report: Pick<KeptReport, 'uploadId'>): Promise<number>;
  /**
   * Dooms what was received for reports, in the transaction in which their keys go. The blobs are deleted right after it
   * has committed; what fails then, the sweeper makes good.
   */
  destroy(tx: Tx, reportIds: readonly string[]): Promise<void>;
  /** Deletes blobs that nothing refers to any more, once the transaction has committed. */
  deleteBlobs(tx: Tx, blobNames: readonly string[]): Promise<void>;
  /** Stores what is prepared of a report as a blob under the report's key, unless `record` returns false. */
  keepPrepared(
    report: Pick<KeptReport, 'id' | 'wrappedKey'>,
    bytes: Uint8Array,
    record: (blobName: string) => Promise<boolean>,
  ): Promise<void>;
  /** Null when the blob is missing or damaged. */
  readPrepared(report: Pick<KeptReport, 'id' | 'wrappedKey'>, blobName: string): Promise<Uint8Array | null>;
  /** A blob that is being kept and has no row yet; the sweep of orphans leaves it alone until the promise is settled. */
  whileKeeping<Result>(blobName: string, work: () => Promise<Result>): Promise<Result>;
  /** Resolves once deletions that follow commits are done, for a stop. */
  settled(): Promise<void>;
  readonly jobs: readonly Job[];
}

export function createContentsService(ports: ContentsPorts): ContentsService {
  const { database, blobs, clock, log, random, reportKeys } = ports;
  const db = database.read;
  const beingKept = new Set<string>();
  const deletions = new Set<Promise<void>>();

  const received = async (uploadId: string | null) => {
    const upload = uploadId === null ? null : await store.findUpload(db, uploadId);
    const { blobName = null, sizeBytes = 0 } = upload ?? {};
    return blobName === null ? null : { blobName, sizeBytes };
  };
  const blobNameOf = async (uploadId: string | null) => (await received(uploadId))?.blobName ?? null;

  async function readBytes({ id, wrappedKey, uploadId }: KeptReport): Promise<Uint8Array> {
    const blobName = await blobNameOf(uploadId);
    if (wrappedKey === null || blobName === null) throw new AppError('REPORT_EXPIRED');
    const sealed = await blobs.get(blobName);
    if (sealed !== null) return opened(id, wrappedKey, blobName, sealed);
    // It may have expired in between.
    if ((await blobNameOf(uploadId)) === null) throw new AppError('REPORT_EXPIRED');
    throw new Error(`the text of report ${id} is missing (${blobName})`);
  }

  /** The log has no address of a request: what is damaged is named by what is thrown. */
  function opened(id: string, wrappedKey: Uint8Array, blobName: string, sealed: Uint8Array): Uint8Array {
    const key = reportKeys.unwrap(id, wrappedKey);
    try {
      return unseal(key, bodyContext(id, blobName), sealed);
    } catch (cause) {
      const { message } = cause as Error;
      throw new Error(`the text of report ${id} is damaged (${blobName}): ${message}`, { cause });
    }
  }

  /** The row goes last, so that what is cut short is done again. */
  async function deleteDoomed(blobNames: readonly string[]): Promise<void> {
    for (const blobName of blobNames) {
      await blobs.delete(blobName);
      await store.forgetDoomed(db, blobName);
    }
  }

  function deleteSoon(blobNames: readonly string[]): void {
    const deletion = deleteDoomed(blobNames)
      .catch((error: unknown) => log.warn('contents not deleted yet', { error: describeError(error) }))
      .finally(() => deletions.delete(deletion));
    deletions.add(deletion);
  }

  async function sweepDoomed(): Promise<void> {
    for (;;) {
      const doomed = await store.listDoomed(db, SWEPT_AT_ONCE_MAX);
      await deleteDoomed(doomed);
      if (doomed.length < SWEPT_AT_ONCE_MAX) return;
    }
  }

  async function sweepOrphans(): Promise<void> {
    const before = clock.now() - ORPHAN_AGE_MS_MIN;
    await blobs.tidy(before);
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
    await store.doomBlobs(tx, blobNames, clock.now());
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
        // What a broken connection leaves open, the sweep of orphans decides.
        if (!(await record(blobName))) await blobs.delete(blobName);
      });
    },
    async readPrepared({ id, wrappedKey }, blobName) {
      if (wrappedKey === null) return null;
      const sealed = await blobs.get(blobName);
      if (sealed === null) return null;
      try {
        return unseal(reportKeys.unwrap(id, wrappedKey), projectionContext(id, blobName), sealed);
      } catch (error) {
        if (error instanceof SealBrokenError) return null;
        throw error;
      }
    },
    async sizeOf({ uploadId }) {
      const upload = await received(uploadId);
      if (!upload) throw new AppError('REPORT_EXPIRED');
      return upload.sizeBytes;
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
      { name: 'doomed blobs', everyMs: DOOMED_SWEPT_EVERY_MS, run: sweepDoomed },
      { name: 'orphan blobs', everyMs: ORPHANS_SWEPT_EVERY_MS, run: sweepOrphans },
    ],
  };
}
