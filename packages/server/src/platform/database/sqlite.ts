/**
 * SQLite in a file, through Node's own driver.
 *
 * There is one connection, on which transactions run one after the other and share commits (commit-groups.ts). The
 * write-ahead log is synced at every commit, so that a resolved transaction is on disk. Deleted content is overwritten.
 * The lock of the data folder (platform/data-folder.ts) keeps out a second process, because streams and throttles are
 * in this process's memory.
 */
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Kysely } from 'kysely';
import { StartError } from '#start-error';
import { isUnavailable } from '../unavailable.ts';
import { createCommitEffects, type CommitEffects, transactionWithEffects } from './commit-effects.ts';
import { CommitGroups } from './commit-groups.ts';
import type { Database } from './database.ts';
import { migrateSchema, type PrepareSchema } from './migrate.ts';
import { namingPlugin } from './naming.ts';
import { observedDialect, type ObserveStatement } from './observed-dialect.ts';
import { probeWrites } from './probe.ts';
import type { Tables } from './schema.ts';
import { NodeSqliteDialect } from './sqlite-dialect.ts';

/** The limit for checking every page, which would delay the start for a larger file. */
const CHECKED_AT_START_BYTES_MAX = 32 * 1024 * 1024;
/**
 * Filled as pages are read. Five hundred active people among a million use some 50 MB of pages. In a smaller cache each
 * read evicts the pages that the next read needs: with 32 MB, opening a share takes half as long again.
 */
const CACHE_KIB = 96_000;
const BUSY_TIMEOUT_MS = 5000;

export interface SqliteSettings {
  /** Called when an effect of a commit throws. */
  readonly onEffectError?: ((error: unknown) => void) | undefined;
  /** Whether a commit is on disk before it resolves; only tests turn this off. */
  readonly durable?: boolean | undefined;
  /** What is done about the schema; by default it is migrated. */
  readonly prepareSchema?: PrepareSchema | undefined;
  /** Called around each statement. */
  readonly observe?: ObserveStatement | undefined;
}

export async function openSqlite(
  file: string,
  {
    onEffectError = () => undefined,
    durable = true,
    prepareSchema = migrateSchema,
    observe,
  }: SqliteSettings = {},
): Promise<Database> {
  const described = `The database ${file}`;
  let connection: DatabaseSync | undefined;
  try {
    rejectDamage(file, described);
    connection = new DatabaseSync(file);
    connection.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${durable ? 'FULL' : 'OFF'};
      PRAGMA secure_delete = ON;
      PRAGMA foreign_keys = ON;
      PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -${CACHE_KIB};
      PRAGMA journal_size_limit = 67108864;
    `);
    const groups = new CommitGroups(connection);
    const dialect = observedDialect(new NodeSqliteDialect(connection, groups), observe);
    const db = new Kysely<Tables>({ dialect, plugins: [namingPlugin] });
    await prepareSchema(db, 'sqlite', described);
    return databaseOf(db, connection, groups, createCommitEffects(onEffectError));
  } catch (error) {
    if (connection?.isOpen) connection.close();
    throw explained(error, described);
  }
}

function databaseOf(
  db: Kysely<Tables>,
  connection: DatabaseSync,
  groups: CommitGroups,
  effects: CommitEffects,
): Database {
  const changes = connection.prepare('PRAGMA data_version');
  return {
    exclusive: true,
    changesElsewhere: () => Number(changes.get()?.['data_version']),
    read: db,
    transaction: (work) => transactionWithEffects(db, effects, work, (effect) => groups.onCommit(effect)),
    afterCommit: effects.add,
    beforeCommit: effects.addLast,
    lockNames: () => Promise.resolve(),
    shareName: () => Promise.resolve(),
    // No other process can run the work, because the data folder belongs to this one.
    async runAlone(_name, work) {
      await work();
      return true;
    },
    // Pages of the file are overwritten when the log is written back to it; until then the log still contains the old
    // ones.
    scrub: () => groups.read(() => emptyLog(connection)),
    check: () => probeWrites(db),
    close: () => db.destroy(),
  };
}

/**
 * Another program that reads the file prevents emptying the log. The service does not wait for it, because every
 * request would wait too.
 */
function emptyLog(connection: DatabaseSync): void {
  connection.exec('PRAGMA busy_timeout = 0');
  try {
    const outcome = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    if (outcome?.['busy'] !== 0)
      throw new Error('The log of the database could not be emptied: another program is reading it.');
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/**
 * Checks through a read-only connection. A writable one would write a killed process's log into the damaged file when
 * it closes, and destroy the last chance to fix it.
 */
function rejectDamage(file: string, described: string): void {
  const sizeBytes = sizeOf(file);
  // An interrupted first start leaves a journal, which a writable connection then rolls back.
  if (sizeBytes === 0 || existsSync(`${file}-journal`)) return;
  const address = pathToFileURL(file);
  // If the database has no log, the check must not create one.
  if (sizeOf(`${file}-wal`) === 0) address.searchParams.set('immutable', '1');
  const reader = new DatabaseSync(address, { readOnly: true });
  try {
    const check = sizeBytes <= CHECKED_AT_START_BYTES_MAX ? 'quick_check(1)' : 'schema_version';
    const [first] = reader.prepare(`PRAGMA ${check}`).all();
    if (first?.['quick_check'] !== undefined && first['quick_check'] !== 'ok') throw damaged(described);
  } finally {
    reader.close();
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function damaged(described: string, cause?: unknown): StartError {
  return new StartError(
    `${described} is damaged. Nothing was changed: restore it from a backup, or move the whole folder away to begin with an empty one.`,
    { cause },
  );
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

function explained(error: unknown, described: string): unknown {
  const { code, errcode, errstr } = error as { code?: string; errcode?: number; errstr?: string };
  if (code !== 'ERR_SQLITE_ERROR' || errcode === undefined) return error;
  const primary = errcode & 0xff;
  if (primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB) return damaged(described, error);
  if (isUnavailable(error)) {
    return new StartError(
      `${described} cannot be opened (${errstr}). Check that this user owns it and may write to its folder, and that the disk is not full.`,
      {
        cause: error,
      },
    );
  }
  return new StartError(
    `${described} cannot be used (${(error as Error).message}). Nothing was changed: set DATA_DIR to another folder, or restore a backup.`,
    { cause: error },
  );
}
