/**
 * The releases that this machine has seen: for each channel the highest version and the latest release time. Neither ever
 * goes back, even with parallel processes: both are compared and written in one transaction of SQLite. The lock of
 * SQLite also prevents two simultaneous installations, and the system releases it when the process ends.
 *
 * The file is created with the first release that is accepted, and not before.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isOlder, isVersion } from '../manifest/release.ts';
import { rejected } from '../manifest/rejections.ts';
import { CliError } from '../errors.ts';
import { isThere } from '../files/paths.ts';
import { touchPrivateFile } from '../files/private-file.ts';
import { isBusy } from '../store/failures.ts';
import { createTables, isEmptyOwn, type OwnSchema } from '../store/own-schema.ts';
import { openDatabase, type DatabaseSync } from '../store/sqlite.ts';

const FILE_NAME = 'releases.sqlite';
const schema: OwnSchema = {
  /** "svcu". */
  applicationId: 0x73766375,
  version: 1,
  noun: 'record of seen releases',
  code: 'UPDATE_MEMORY',
  statements:
    'CREATE TABLE seen (channel TEXT PRIMARY KEY, version TEXT NOT NULL, released_at_ms INTEGER NOT NULL) STRICT',
};
const WAIT_MS = 50;
/** Longer than another process may take to test what it installs. */
const WAITS_MAX = 1200;
const COMMIT_MS_MAX = 5000;

export interface SeenRelease {
  readonly version: string;
  readonly releasedAtMs: number;
}

/**
 * Null when nothing was seen. Creates no file.
 * @throws CliError when the record cannot be read.
 */
export async function seenOf(dataFolder: string, channel: string): Promise<SeenRelease | null> {
  const file = path.join(dataFolder, FILE_NAME);
  if (!isThere(file)) return null;
  return inFile(file, 'BEGIN', (database, isEmpty) => (isEmpty ? null : rowOf(database, channel)));
}

/** @param accept is called again with the current record, and throws when the release is no longer acceptable. */
export function remember(
  dataFolder: string,
  channel: string,
  release: SeenRelease,
  accept: (seen: SeenRelease | null) => void,
): Promise<void> {
  return writing(dataFolder, (database) => {
    const seen = rowOf(database, channel);
    accept(seen);
    const version = seen && isOlder(release.version, seen.version) ? seen.version : release.version;
    const releasedAtMs = Math.max(release.releasedAtMs, seen?.releasedAtMs ?? -Infinity);
    if (seen?.version === version && seen.releasedAtMs === releasedAtMs) return;
    database
      .prepare('INSERT OR REPLACE INTO seen (channel, version, released_at_ms) VALUES (?, ?, ?)')
      .run(channel, version, releasedAtMs);
  });
}

/**
 * While `work` runs, no other process of this user installs or remembers anything.
 *
 * @throws CliError when another process takes longer than the maximum wait.
 */
export function alone<Result>(
  dataFolder: string,
  channel: string,
  work: (seen: SeenRelease | null) => Promise<Result>,
  waitsMax: number = WAITS_MAX,
): Promise<Result> {
  return writing(dataFolder, (database) => work(rowOf(database, channel)), waitsMax);
}

async function writing<Result>(
  dataFolder: string,
  work: (database: DatabaseSync) => Result | Promise<Result>,
  waitsMax: number = WAITS_MAX,
): Promise<Result> {
  const file = path.join(dataFolder, FILE_NAME);
  try {
    touchPrivateFile(file);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unusable(file, error);
  }
  return inFile(
    file,
    'BEGIN IMMEDIATE',
    (database, isEmpty) => {
      if (isEmpty) createTables(database, schema);
      return work(database);
    },
    waitsMax,
  );
}

async function inFile<Result>(
  file: string,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  work: (database: DatabaseSync, isEmpty: boolean) => Result | Promise<Result>,
  waitsMax: number = WAITS_MAX,
): Promise<Result> {
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(file);
    // These settings wait only for another process's commit. `EXTRA` also syncs the deletion of our journal.
    database.exec(
      `PRAGMA busy_timeout = ${COMMIT_MS_MAX}; PRAGMA synchronous = EXTRA; PRAGMA busy_timeout = 0`,
    );
    await begun(database, begin, waitsMax);
    database.exec(`PRAGMA busy_timeout = ${COMMIT_MS_MAX}`);
    const result = await work(database, isEmptyOwn(database, file, schema));
    database.exec('COMMIT');
    return result;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR' ? unusable(file, error) : error;
  } finally {
    database?.close();
  }
}

/** Waits here and not in SQLite, which would block the whole process. */
async function begun(database: DatabaseSync, begin: string, waitsMax: number): Promise<void> {
  for (let waits = 0; ; waits += 1) {
    try {
      database.exec(begin);
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (waits >= waitsMax) throw rejected('UPDATE_BUSY', 'Another svc is installing an update.');
      await delay(WAIT_MS);
    }
  }
}

function rowOf(database: DatabaseSync, channel: string): SeenRelease | null {
  const row = database.prepare('SELECT version, released_at_ms FROM seen WHERE channel = ?').get(channel);
  if (row === undefined) return null;
  const [version, releasedAtMs] = [String(row['version']), Number(row['released_at_ms'])];
  if (isVersion(version)) return { version, releasedAtMs };
  throw rejected(
    'UPDATE_MEMORY',
    `The record of seen releases, ${FILE_NAME} in the data folder, is damaged.`,
  );
}

function unusable(file: string, cause: unknown): Error {
  return rejected('UPDATE_MEMORY', `The record of seen releases, ${file}, cannot be read or written.`, {
    cause,
  });
}
