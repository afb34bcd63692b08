/**
 * The database as the features see it.
 *
 * A command is one transaction. It commits durably: when `transaction` has resolved, the change survives `kill -9` and a
 * power cut. Rows read with `forUpdate()` stay locked to its end (on SQLite every transaction is alone anyway). The work
 * must be free of effects outside the database, since it is run again when the database asks for that.
 */
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** Anything queries can run on. */
export type Db = Kysely<Tables>;
/** A transaction under way. */
export type Tx = Transaction<Tables>;

/** A database that is only looked at. */
export interface ReadingDatabase {
  readonly read: Db;
  close(): Promise<void>;
}

export interface Database {
  /** Whether no other process changes it, so that what is remembered of it and forgotten by effects of commits is exact. */
  readonly exclusive: boolean;
  /** For single statements outside a transaction. */
  readonly read: Db;
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Runs the effect once this transaction has committed: synchronously, in the turn in which the commit is known and before
   * whoever waits for the transaction goes on. Never after a rollback; of work that is run again only the last run's count.
   * An effect must not throw; one that does is reported, and changes nothing.
   *
   * @throws TypeError when the transaction is not under way.
   */
  afterCommit(tx: Tx, effect: () => void): void;
  /**
   * Runs the work within this transaction, once all else of it is done: for locks that many transactions want, which are then
   * held for the commit alone and wait for nothing. What fails there takes the transaction back.
   *
   * @throws TypeError as above.
   */
  beforeCommit(tx: Tx, work: () => Promise<void>): void;
  /**
   * From when it resolves to the end of the transaction, every other transaction that asks for one of the names waits. For
   * what two transactions must not decide at once and no row stands for. Names are to be asked for before rows are locked.
   */
  lockNames(tx: Tx, names: readonly string[]): Promise<void>;
  /**
   * What was deleted by transactions that have committed is in no file of the database any more, where the database lets
   * itself be told so. Rejects when something stands in the way; then it is to be tried again.
   */
  scrub(): Promise<void>;
  /** Throws when the database can not be asked, or can not be written to. */
  check(): Promise<void>;
  close(): Promise<void>;
}
