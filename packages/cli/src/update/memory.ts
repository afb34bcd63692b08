/**
 * What this machine has seen of releases: for each channel the highest version and the latest time of a release. Neither ever
 * goes back, whatever processes do it at once: both are compared and written in one transaction of SQLite, which is also what
 * keeps two from installing at the same time, since the system ends it with the process that holds it.
 *
 * The file is made with the first release that is accepted, and not before.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isOlder, isVersion } from '../manifest/release.ts';
import { refused } from '../manifest/refusals.ts';
import { CliError } from '../errors.ts';
import { isThere } from '../files/places.ts';
import { touchPrivateFile } from '../files/private-file.ts';
import { isBusy } from '../store/failures.ts';
import { openDatabase, type DatabaseSync } from '../store/sqlite.ts';

const FILE_NAME = 'releases.sqlite';
const WAIT_MS = 50;
/** As long as another may test what it installs, and then some. */
const WAITS_MAX = 1200;
const COMMIT_MS_MAX = 5000;

export interface Seen {
  readonly version: string;
  readonly releasedAtMs: number;
}

/** Null when nothing was seen. Makes no file. @throws CliError when it can not be read. */
export async function seenOf(dataFolder: string, channel: string): Promise<Seen | null> {
  const file = path.join(dataFolder, FILE_NAME);
  if (!isThere(file)) return null;
  return inFile(file, 'BEGIN', (database) => rowOf(database, channel));
}

/**
 * @param accept is asked again with what is seen by then, and throws when the release may not be accepted any more.
 */
export function remember(
  dataFolder: string,
  channel: string,
  release: Seen,
  accept: (seen: Seen | null) => void,
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
 * While `work` is under way no other process of this user installs or remembers anything.
 *
 * @throws CliError when another goes on for longer than this one waits.
 */
export function alone<Result>(
  dataFolder: string,
  channel: string,
  work: (seen: Seen | null) => Promise<Result>,
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
    (database) => {
      database.exec(
        'CREATE TABLE IF NOT EXISTS seen (channel TEXT PRIMARY KEY, version TEXT NOT NULL, released_at_ms INTEGER NOT NULL) STRICT',
      );
      return work(database);
    },
    waitsMax,
  );
}

async function inFile<Result>(
  file: string,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  work: (database: DatabaseSync) => Result | Promise<Result>,
  waitsMax: number = WAITS_MAX,
): Promise<Result> {
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(file);
    // What is waited for is another's commit. That the journal is gone with ours is synced too.
    database.exec(
      `PRAGMA busy_timeout = ${COMMIT_MS_MAX}; PRAGMA synchronous = EXTRA; PRAGMA busy_timeout = 0`,
    );
    await begun(database, begin, waitsMax);
    database.exec(`PRAGMA busy_timeout = ${COMMIT_MS_MAX}`);
    const result = await work(database);
    database.exec('COMMIT');
    return result;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR' ? unusable(file, error) : error;
  } finally {
    database?.close();
  }
}

/** Waited for here and not in SQLite, where it would keep everything else waiting too. */
async function begun(database: DatabaseSync, begin: string, waitsMax: number): Promise<void> {
  for (let waits = 0; ; waits += 1) {
    try {
      database.exec(begin);
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (waits >= waitsMax) throw refused('UPDATE_BUSY', 'Another svc is installing an update.');
      await delay(WAIT_MS);
    }
  }
}

function rowOf(database: DatabaseSync, channel: string): Seen | null {
  const isNew = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'seen'").get() === undefined;
  if (isNew) return null;
  const row = database.prepare('SELECT version, released_at_ms FROM seen WHERE channel = ?').get(channel);
  if (row === undefined) return null;
  const [version, releasedAtMs] = [String(row['version']), Number(row['released_at_ms'])];
  if (isVersion(version)) return { version, releasedAtMs };
  throw refused(
    'UPDATE_MEMORY',
    `What svc has seen of releases is damaged, in ${FILE_NAME} of its data folder.`,
  );
}

function unusable(file: string, cause: unknown): Error {
  return refused(
    'UPDATE_MEMORY',
    `What svc has seen of releases can not be read from ${file}, or kept there.`,
    {
      cause,
    },
  );
}
