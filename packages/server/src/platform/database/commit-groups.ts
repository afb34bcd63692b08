/**
 * Group commit on one SQLite connection.
 *
 * Everything written in one tick of the event loop shares one commit, and with it one sync to disk, the main cost of a
 * small commit. The first writer of a tick opens the group (BEGIN IMMEDIATE). Then each transaction has the connection
 * alone, one after the other, in a savepoint of its own. At the end of the tick the group is committed.
 *
 * Invariants:
 * - No outcome is returned before the group has been committed, whether success or failure: a rejection can depend on
 *   what an earlier member wrote. When the commit fails, nothing of the group is stored and every member fails with
 *   that error.
 * - A member that fails rolls back only its own changes.
 * - Reads run between groups, so they see everything that was committed and acknowledged. A second connection for reads
 *   would lose its page cache at every commit of this one.
 * - A group accepts no more members after MEMBERS_MAX, or TIME_MAX_MS after it was opened. If a transaction is still
 *   under way at the end of the tick, the group is committed as soon as it ends.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

const MEMBERS_MAX = 128;
const TIME_MAX_MS = 5;

/** One transaction or writing statement in a group. */
interface Member {
  onCommit: (() => void) | undefined;
  /** Settles the member's promise; the error is the group's. */
  settle(error: Error | undefined): void;
}

interface Group {
  readonly members: Member[];
  readonly openedAt: number;
  readonly endOfTurn: NodeJS.Immediate;
  /** Accepts no more members, and is committed when the current one ends. */
  closing: boolean;
}

export class CommitGroups {
  readonly #connection: DatabaseSync;
  readonly #statements: Record<'begin' | 'commit' | 'savepoint' | 'release' | 'rollbackTo', StatementSync>;
  #group: Group | undefined;
  /** Whether a transaction has the connection. */
  #taken = false;
  #onCommit: (() => void) | undefined;
  /** Why SQLite rolled back the whole group during a transaction. */
  #givenUp: Error | undefined;
  readonly #writers: (() => void)[] = [];
  readonly #readers: (() => void)[] = [];

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
    this.#statements = {
      begin: connection.prepare('BEGIN IMMEDIATE'),
      commit: connection.prepare('COMMIT'),
      savepoint: connection.prepare('SAVEPOINT member'),
      release: connection.prepare('RELEASE member'),
      rollbackTo: connection.prepare('ROLLBACK TO member'),
    };
  }

  /** Resolves when the caller has the connection alone. The caller must then call `end` or `undo`. */
  begin(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#whenFree(() => {
        try {
          this.#openGroup();
          this.#statements.savepoint.run();
        } catch (error) {
          const failure = error as Error;
          reject(failure);
          return;
        }
        this.#taken = true;
        resolve();
      });
    });
  }

  /** Runs a statement of the transaction that has the connection. */
  within<Result>(run: () => Result): Result {
    // Without a group the statement would be committed alone, outside the transaction.
    if (this.#givenUp) throw this.#givenUp;
    try {
      return run();
    } catch (error) {
      // A full or broken disk can make SQLite roll everything back.
      if (!this.#connection.isTransaction) this.#givenUp = error as Error;
      throw error;
    }
  }

  /**
   * Calls the effect when the group of the current transaction has been committed: in that tick, before any caller
   * continues.
   */
  onCommit(effect: () => void): void {
    this.#onCommit = effect;
  }

  /**
   * Passes the connection to the next caller. Resolves when the transaction is durable; rejects when nothing of it is
   * stored.
   */
  end(): Promise<void> {
    return this.#leave(() => this.#statements.release.run());
  }

  /**
   * Rolls the transaction back and passes the connection to the next caller. Settles with the group, since the failure
   * may depend on its state.
   */
  undo(): Promise<void> {
    return this.#leave(() => {
      this.#statements.rollbackTo.run();
      this.#statements.release.run();
    });
  }

  /** Runs a single statement that writes. Resolves when it is durable. */
  write<Result>(run: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#whenFree(() => {
        let outcome: () => void;
        try {
          this.#openGroup();
        } catch (error) {
          const failure = error as Error;
          reject(failure);
          return;
        }
        try {
          const result = this.within(run);
          outcome = () => resolve(result);
        } catch (error) {
          const failure = error as Error;
          outcome = () => reject(failure);
        }
        const settle = (failure?: Error) => (failure ? reject(failure) : outcome());
        this.#joined({ onCommit: undefined, settle });
      });
    });
  }

  /** Runs a single statement between groups. */
  read<Result>(run: () => Result): Promise<Result> {
    if (!this.#group) return settled(run);
    return new Promise((resolve, reject) => {
      this.#readers.push(() => void settled(run).then(resolve, reject));
    });
  }

  #whenFree(start: () => void): void {
    if (this.#taken || this.#group?.closing) this.#writers.push(start);
    else start();
  }

  #openGroup(): void {
    if (this.#group) return;
    this.#statements.begin.run();
    this.#group = {
      members: [],
      openedAt: performance.now(),
      endOfTurn: setImmediate(() => this.#endOfTurn()),
      closing: false,
    };
  }

  #endOfTurn(): void {
    if (!this.#group) return;
    this.#group.closing = true;
    if (this.#taken) return;
    this.#commit(this.#group);
    this.#goOn();
  }

  #leave(finish: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      try {
        this.within(finish);
      } catch (error) {
        this.#givenUp ??= error as Error;
      }
      const onCommit = this.#onCommit;
      this.#onCommit = undefined;
      this.#taken = false;
      const settle = (failure?: Error) => (failure ? reject(failure) : resolve());
      this.#joined({ onCommit, settle });
      this.#goOn();
    });
  }

  #joined(member: Member): void {
    const group = this.#group;
    if (!group) throw new Error('no group is open');
    group.members.push(member);
    const full = group.members.length >= MEMBERS_MAX || performance.now() - group.openedAt > TIME_MAX_MS;
    if (full || group.closing || this.#givenUp) this.#commit(group);
  }

  #commit(group: Group): void {
    clearImmediate(group.endOfTurn);
    let failure = this.#givenUp;
    try {
      if (!failure) this.#statements.commit.run();
    } catch (error) {
      failure = error as Error;
    }
    if (failure && this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
    this.#givenUp = undefined;
    this.#group = undefined;
    for (const read of this.#readers.splice(0)) read();
    if (!failure) for (const { onCommit } of group.members) onCommit?.();
    for (const { settle } of group.members) settle(failure);
  }

  /** Lets the next waiting callers in, until one of them holds the connection. */
  #goOn(): void {
    while (!this.#taken && !this.#group?.closing) {
      const start = this.#writers.shift();
      if (!start) return;
      start();
    }
  }
}

async function settled<Result>(run: () => Result): Promise<Result> {
  return run();
}
