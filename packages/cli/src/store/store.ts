/**
 * The file with this machine's reports, and the only code that opens it.
 *
 * Invariants: a write is on disk when its function returns (write-ahead log, synced at every commit). A killed process
 * leaves a transaction complete or not at all. One of two processes waits for the other, so no change is based on outdated
 * data (every writing transaction takes the lock before it reads). Deleted text is overwritten. Callers remove secrets
 * before they store anything.
 *
 * SQL statements are in this folder; the rest of the program calls its functions.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../errors.ts';
import { NotARegularFileError, touchOwn } from '../files/own-file.ts';
import { makeFolder } from '../files/own-folders.ts';
import { damaged, explained, isBusy } from './failures.ts';
import { createTables, isEmptyOwn } from './own-schema.ts';
import { localStoreSchema } from './schema.ts';
import { openDatabase, type DatabaseSync, type SQLInputValue, type StatementSync } from './sqlite.ts';

export const STORE_FILE_NAME = 'reports.sqlite';

/** A freeze of ten thousand findings takes a second or two, and a process may have to wait for several of them. */
const BUSY_TIMEOUT_MS = 20_000;
/** Turning on the write-ahead log locks the whole file. Of several processes that try, all but one fail immediately. */
const OPENING_TRIES_MAX = 200;
const OPENING_PAUSE_MS = 25;

type Parameters = readonly SQLInputValue[];

/** Closed by `close`, or at the end of a `using` block. */
export class Store implements Disposable {
  readonly file: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.file = file;
  }

  /** Reads and writes in one exclusive transaction. Within another transaction, it joins that transaction. */
  write<Result>(work: () => Result): Result {
    return this.#transaction('BEGIN IMMEDIATE', work);
  }

  /** Reads from one point in time. */
  read<Result>(work: () => Result): Result {
    return this.#transaction('BEGIN', work);
  }

  all<Row>(sql: string, ...parameters: Parameters): Row[] {
    return this.#explaining(() => this.#prepared(sql).all(...parameters)) as Row[];
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what its statement gives
  get<Row>(sql: string, ...parameters: Parameters): Row | undefined {
    return this.#explaining(() => this.#prepared(sql).get(...parameters)) as Row | undefined;
  }

  /** @returns the number of changed rows. */
  run(sql: string, ...parameters: Parameters): number {
    return this.#explaining(() => Number(this.#prepared(sql).run(...parameters).changes));
  }

  /**
   * Removes deleted content from the log too, unless another process is reading it; the content is then removed when
   * that process closes the store.
   */
  forgetDeleted(): void {
    this.#explaining(() => this.#prepared('PRAGMA wal_checkpoint(TRUNCATE)').get());
  }

  /** A JSON text that this store wrote. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what it wrote
  parsed<Value>(json: string): Value {
    try {
      return JSON.parse(json) as Value;
    } catch (error) {
      throw damaged(this.file, error);
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #transaction<Result>(begin: string, work: () => Result): Result {
    if (this.#database.isTransaction) return work();
    return this.#explaining(() => {
      this.#database.exec(begin);
      try {
        const result = work();
        this.#database.exec('COMMIT');
        return result;
      } finally {
        // A full or broken disk makes SQLite roll back automatically.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      }
    });
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  #explaining<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw explained(error, this.file);
    }
  }
}

/**
 * Opens the store of a data folder, and creates both if missing.
 *
 * @throws CliError when the file is damaged, of another program, build or newer version, or cannot be opened.
 */
export async function openStore(folder: string): Promise<Store> {
  const file = path.join(folder, STORE_FILE_NAME);
  makePrivate(folder, file);
  for (let tries = 1; ; tries += 1) {
    let database: DatabaseSync | undefined;
    try {
      database = openDatabase(file);
      prepareFile(database, file);
      return new Store(database, file);
    } catch (error) {
      if (database?.isOpen) database.close();
      if (!isBusy(error) || tries >= OPENING_TRIES_MAX) throw explained(error, file);
      await delay(OPENING_PAUSE_MS);
    }
  }
}

/** The files that SQLite keeps beside its database get the same mode. */
function makePrivate(folder: string, file: string): void {
  try {
    makeFolder(folder);
    touchOwn(file);
  } catch (error) {
    if (error instanceof CliError && !(error instanceof NotARegularFileError && error.isFolder)) throw error;
    throw new CliError('failed', `The local store ${file} cannot be opened: ${(error as Error).message}.`, {
      hint: 'Check that the folder belongs to you and is writable.',
      cause: error,
    });
  }
}

function prepareFile(database: DatabaseSync, file: string): void {
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.exec('BEGIN');
  const isEmpty = isEmptyOwn(database, file, localStoreSchema);
  database.exec('COMMIT');
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
    PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
  `);
  if (isEmpty) create(database, file);
}

/** Creates the tables completely or not at all, and in only one of several processes. */
function create(database: DatabaseSync, file: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    if (isEmptyOwn(database, file, localStoreSchema)) createTables(database, localStoreSchema);
    database.exec('COMMIT');
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}
