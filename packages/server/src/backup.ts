/**
 * Backups: creates a folder on which a service can be started, while another service is running.
 *
 * The database is copied first, then the blobs that the copy names. Some of these may have been deleted meanwhile. A
 * SQLite database is then copied again, until the copy names no deleted blob. In the copy of a PostgreSQL database,
 * the reports of missing blobs have expired. The folder gets its final name only when it is complete and synced to
 * disk.
 */
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { verifyAuditLog, type Head } from '#features/audit';
import { bringBodies, forgetDeleted, verifyBodies, type BodiesFound } from '#features/uploads';
import type { Blobs } from '#platform/blobs/blobs';
import { openFilesystemBlobs } from '#platform/blobs/filesystem';
import type { S3Place } from '#platform/blobs/s3-place';
import type { ReadingDatabase } from '#platform/database/database';
import { requireReadable } from '#platform/database/migrate';
import { copyPostgres } from '#platform/database/postgres-copy';
import { openSqlite } from '#platform/database/sqlite';
import { copySqlite, faultOfSqlite } from '#platform/database/sqlite-copy';
import { openSqliteToRead } from '#platform/database/sqlite-reading';
import { rejectTransferred } from '#platform/database/transfer-marks';
import { readMasterKeys } from '#platform/master-key';
import { systemRandom } from '#platform/random';
import { createUnwrapping } from '#platform/report-keys';
import { usedAddressInWords } from '#platform/shown-address';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

export const DATABASE = 'svc.db';
export const BLOBS = 'blobs';
export const KEY = 'master.key';
/** How often the database is copied before the backup gives up because reports keep being deleted. */
const COPIES_MAX = 20;
/** Enough for reading a page of a large table. */
const POSTGRES_STATEMENT_MS = 600_000;

export interface BackupContents {
  readonly databaseBytes: number;
  readonly bodies: Pick<BodiesFound, 'count' | 'sizeBytes'>;
  readonly holdsKey: boolean;
  readonly auditHead: Head | null;
  /** Reports that were deleted during the copy; in the backup they have expired. */
  readonly deletedMeanwhile: number;
  /** One sentence for each fault; empty when the backup is reliable. */
  readonly faults: readonly string[];
}

export interface BackupSource {
  readonly database: Config['database'];
  readonly dataDir: string;
  /**
   * The keys from the configuration. Empty means that the key is in a file of the data folder, and the backup includes
   * it.
   */
  readonly masterKeys: readonly Uint8Array[];
  /** Null means that the blobs are files of the data folder. */
  readonly bucket: S3Place | null;
}

export interface Watch {
  readonly signal: AbortSignal;
  readonly report: (step: string, done?: number) => void;
}

export interface BackupRun extends Watch {
  /** Whether a service is copied even if its data has faults. */
  readonly evenWithFaults: boolean;
}

/**
 * @throws StartError when there is nothing to copy or the copy cannot be created. An error or an abort leaves no files.
 */
export async function makeBackup(
  source: BackupSource,
  folder: string,
  { evenWithFaults, ...watch }: BackupRun,
): Promise<BackupContents> {
  const from = path.resolve(source.dataDir);
  if (source.database.kind === 'sqlite' && !existsSync(path.join(from, DATABASE)))
    throw new StartError(
      `DATA_DIR: there is no file ${path.join(from, DATABASE)}. Name the folder of the service.`,
    );
  const target = path.resolve(folder);
  await rejectPlace(from, target);
  const work = await mkdtemp(`${target}.new-`);
  try {
    const deletedMeanwhile = await withBlobs(source, (blobs) => fill(work, source, blobs, watch));
    const contents = { ...(await verifyBackup(work, source.masterKeys, watch)), deletedMeanwhile };
    if (contents.faults.length > 0 && !evenWithFaults) {
      await rm(work, { recursive: true });
      return contents;
    }
    watch.signal.throwIfAborted();
    for (const each of [path.join(work, BLOBS), work]) await syncFolder(each);
    await rename(work, target);
    await syncFolder(path.dirname(target));
    return contents;
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    throw error;
  }
}

async function rejectPlace(from: string, target: string): Promise<void> {
  if (existsSync(target))
    throw new StartError(`${target} already exists. Name a new folder; the backup creates it.`);
  const parent = await realpath(path.dirname(target)).catch(() => {
    throw new StartError(`There is no folder ${path.dirname(target)} for the backup. Create it first.`);
  });
  const way = path.relative(await realpath(from), parent);
  if (way === '' || !(way.startsWith('..') || path.isAbsolute(way)))
    throw new StartError(`${target} is in the data folder and would be lost with it. Name another folder.`);
}

async function withBlobs<Result>(
  { dataDir, bucket }: BackupSource,
  work: (blobs: Blobs) => Promise<Result>,
): Promise<Result> {
  if (bucket === null) return work(openFilesystemBlobs(path.join(dataDir, BLOBS)));
  const { openS3Blobs } = await import('#platform/blobs/s3');
  const blobs = await openS3Blobs(bucket, systemRandom);
  return work(blobs).finally(() => blobs.close());
}

/** Returns how many reports were deleted meanwhile and are in the copy as expired. */
async function fill(work: string, from: BackupSource, source: Blobs, watch: Watch): Promise<number> {
  const watchedSource = watched(source, 'Copying report bodies', watch);
  const blobs = openFilesystemBlobs(path.join(work, BLOBS));
  const { database } = from;
  const forgotten =
    database.kind === 'sqlite'
      ? await fillFromSqlite(work, from.dataDir, watchedSource, blobs, watch)
      : await fillFromPostgres(work, database.url, watchedSource, blobs, watch);
  if (from.masterKeys.length === 0) await copyKey(path.join(from.dataDir, KEY), path.join(work, KEY));
  return forgotten;
}

async function fillFromSqlite(
  work: string,
  from: string,
  source: Blobs,
  blobs: Blobs,
  watch: Watch,
): Promise<number> {
  const file = path.join(from, DATABASE);
  const brought = new Set<string>();
  let missingBefore = new Set<string>();
  for (let copies = 1; ; copies += 1) {
    watch.signal.throwIfAborted();
    watch.report('Copying the database');
    await copySqlite(file, path.join(work, DATABASE));
    const missing = await reading(path.join(work, DATABASE), async ({ read }) => {
      await requireReadable(read, 'sqlite', `The database ${file}`);
      return bringBodies(read, source, blobs, brought);
    });
    // A blob is deleted after its row, so one that is missing twice was not deleted but lost.
    const known = missingBefore;
    if (missing.every((name) => known.has(name))) return 0;
    if (copies === COPIES_MAX)
      throw new StartError('Reports are being deleted faster than they can be copied. Try again later.');
    missingBefore = new Set(missing);
  }
}

/**
 * Copies the database only once: copying a large one takes so long that some reports are always deleted meanwhile. In
 * the copy, these reports have expired.
 */
async function fillFromPostgres(
  work: string,
  url: string,
  source: Blobs,
  blobs: Blobs,
  watch: Watch,
): Promise<number> {
  const { openPostgresToRead } = await import('#platform/database/postgres-reading');
  const original = openPostgresToRead(url, POSTGRES_STATEMENT_MS);
  const file = path.join(work, DATABASE);
  try {
    const described = `The database ${usedAddressInWords(url)}`;
    await requireReadable(original.read, 'postgres', described);
    await rejectTransferred(original, described);
    const copy = await openSqlite(file);
    await chmod(file, 0o600);
    try {
      let rows = 0;
      await copyPostgres(original, copy, {
        onRows(_table, count) {
          watch.signal.throwIfAborted();
          rows += count;
          watch.report('Copying rows', rows);
        },
      });
      const missing = await bringBodies(copy.read, source, blobs, new Set());
      return await forgetDeleted(copy, original.read, missing, Date.now());
    } finally {
      await copy.close();
    }
  } finally {
    await original.close();
  }
}

async function reading<Result>(
  file: string,
  work: (database: ReadingDatabase) => Promise<Result>,
): Promise<Result> {
  const database = openSqliteToRead(file);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Reports each read as progress. After an abort, the next read fails. */
function watched(blobs: Blobs, step: string, { signal, report }: Watch): Blobs {
  let count = 0;
  return {
    ...blobs,
    get(name) {
      signal.throwIfAborted();
      count += 1;
      report(step, count);
      return blobs.get(name);
    },
  };
}

export async function copyKey(from: string, to: string): Promise<void> {
  // A missing key is reported by the caller that needs it.
  if (!existsSync(from)) return;
  await copyFile(from, to);
  const handle = await open(to, 'r+');
  await handle.chmod(0o600);
  await handle.sync();
  await handle.close();
}

/**
 * Checks a complete backup, and only reads.
 * @param configured the master keys, for a backup without one.
 * @throws StartError when the backup cannot be checked.
 */
export async function verifyBackup(
  folder: string,
  configured: readonly Uint8Array[],
  watch: Watch,
): Promise<BackupContents> {
  const file = path.join(folder, DATABASE);
  if (!existsSync(file)) throw new StartError(`There is no file ${file}, so this is not a backup.`);
  if (!existsSync(path.join(folder, BLOBS)))
    throw new StartError(`There is no folder ${path.join(folder, BLOBS)}, so this is not a backup.`);
  const keyFile = path.join(folder, KEY);
  const holdsKey = existsSync(keyFile);
  if (!holdsKey && configured.length === 0)
    throw new StartError(
      `${folder} contains no master key. Set SVC_MASTER_KEY to the key of the service: reports cannot be read without it.`,
    );
  const about = { databaseBytes: (await stat(file)).size, holdsKey, deletedMeanwhile: 0 };
  const damage = faultOfSqlite(file);
  if (damage !== null)
    return {
      ...about,
      bodies: { count: 0, sizeBytes: 0 },
      auditHead: null,
      faults: [`the database is damaged: ${damage}`],
    };
  return reading(file, async (database) => {
    await requireReadable(database.read, 'sqlite', `The backup ${folder}`, true);
    const keys = await readMasterKeys({ database, configured: holdsKey ? [] : configured, file: keyFile });
    const stored = openFilesystemBlobs(path.join(folder, BLOBS));
    const blobs = watched(stored, 'Checking report bodies', watch);
    const { faults, ...bodies } = await verifyBodies(database.read, blobs, createUnwrapping(keys));
    const audit = await verifyAuditLog(database.read, null);
    return {
      ...about,
      bodies,
      auditHead: audit.intact ? audit.head : null,
      faults: audit.intact ? faults : [...faults, `the audit log was tampered with: ${audit.fault}`],
    };
  });
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
