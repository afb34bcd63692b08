/**
 * The database as features see it.
 *
 * A command is one transaction. It commits durably: when `transaction` has resolved, the change survives `kill -9` and
 * a power cut. Rows read with `forUpdate()` stay locked until its end (on SQLite only one transaction runs at a time
 * anyway). The work must have no effects outside the database, because the database may require it to be run again.
 */
import type { Kysely, Transaction } from 'kysely';
import type { ConnectionCounts } from '../metrics/metrics.ts';
import type { Tables } from './schema.ts';

/** Anything that can run queries. */
export type Db = Kysely<Tables>;
/** A transaction under way. */
export type Tx = Transaction<Tables>;

/** A database that is only read. */
export interface ReadingDatabase {
  readonly read: Db;
  close(): Promise<void>;
}

export interface Database {
  /**
   * Whether only one service uses it. Caches are then exact if they are cleared by effects of commits and when
   * `changesElsewhere` changes.
   */
  readonly exclusive: boolean;
  /**
   * A number that changes when another process, such as a command of the operator, commits. Absent if not `exclusive`.
   */
  changesElsewhere?(): number;
  /** Runs single statements outside a transaction. */
  readonly read: Db;
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Runs the effect once this transaction has committed: synchronously, in the tick in which the commit is known, and
   * before anyone who waits for the transaction continues. Never after a rollback. Of work that is run again, only the
   * last run's effects count. An effect must not throw; an error is reported, and changes nothing.
   *
   * @throws TypeError when the transaction is not under way.
   */
  afterCommit(tx: Tx, effect: () => void): void;
  /**
   * Runs the work within this transaction, once everything else in it is done. Use it for locks that many transactions
   * need, so that they are held only for the commit. An error rolls the transaction back.
   *
   * @throws TypeError when the transaction is not under way.
   */
  beforeCommit(tx: Tx, work: () => Promise<void>): void;
  /**
   * After this resolves, every other transaction that locks one of the names waits until this one ends. Use it for
   * decisions that two transactions must not make simultaneously and for which no row exists. Lock names before rows.
   */
  lockNames(tx: Tx, names: readonly string[]): Promise<void>;
  /**
   * After this resolves, transactions that lock the name wait until this one ends, and those that share it do not. Use
   * it to rely on a row that rarely changes.
   */
  shareName(tx: Tx, name: string): Promise<void>;
  /**
   * Runs the work unless another process that uses this database runs work of this name. If the connection is lost,
   * another process may begin before the work has ended, so the work must be safe to run twice.
   *
   * @returns whether the work was run.
   */
  runAlone(name: string, work: () => Promise<void>): Promise<boolean>;
  /**
   * Removes everything that committed transactions deleted from every file of the database, if the database supports
   * that. Rejects when it could not; then try again.
   */
  scrub(): Promise<void>;
  /** Absent if there is only one connection. */
  connections?(): ConnectionCounts;
  /** Throws when the database cannot be read or written. */
  check(): Promise<void>;
  close(): Promise<void>;
}
