/**
 * Group commit on one SQLite connection.
 *
 * What is written in one turn of the event loop shares one commit, and with it one sync of the disk, which is what a small
 * commit costs most by. The first writer of a turn opens the group (BEGIN IMMEDIATE); each transaction then has the
 * connection alone, within a savepoint of its own, one after the other; at the end of the turn the group is committed.
 *
 * What holds:
 * - Nobody is told an outcome before the group has been committed, be it success or failure: a refusal can rest on what an
 *   earlier member wrote. When the commit fails, nothing of the group is there and every member fails with that error.
 * - A member that fails takes back its own changes alone.
 * - Reads run between groups and so see what is committed, all of what was acknowledged included. A second connection for
 *   them would have to forget its pages at every commit of this one.
 * - A group takes no more members after MEMBERS_MAX, or TIME_MAX_MS after it was opened; one that still has a transaction
 *   under way when the turn ends is committed as soon as that is over.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

const MEMBERS_MAX = 128;
const TIME_MAX_MS = 5;

/** One transaction or writing statement in a group. */
interface Member {
  onCommit: (() => void) | undefined;
  /** Goes on with whoever waits for the outcome; the error is the group's. */
  settle(error: Error | undefined): void;
}

interface Group {
  readonly members: Member[];
  readonly openedAt: number;
  readonly endOfTurn: NodeJS.Immediate;
  /** Takes no more members, and is committed when the one under way is over. */
  closing: boolean;
}

export class CommitGroups {
  readonly #connection: DatabaseSync;
  readonly #statements: Record<'begin' | 'commit' | 'savepoint' | 'release' | 'rollbackTo', StatementSync>;
  #group: Group | undefined;
  /** Whether a transaction has the connection. */
  #taken = false;
  #onCommit: (() => void) | undefined;
  /** Why SQLite gave the whole group up in the midst of a transaction. */
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

  /** Resolves when the connection is the caller's alone, who must call `end` or `undo`. */
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
    // Without a group the statement would be committed by itself, past the transaction.
    if (this.#givenUp) throw this.#givenUp;
    try {
      return run();
    } catch (error) {
      // A full or broken disk can make SQLite roll everything back by itself.
      if (!this.#connection.isTransaction) this.#givenUp = error as Error;
      throw error;
    }
  }

  /** Called when the group of the transaction under way has been committed, in the same turn and before anyone goes on. */
  onCommit(effect: () => void): void {
    this.#onCommit = effect;
  }

  /** Hands the connection on. Resolves when the transaction is durable; rejects when nothing of it is there. */
  end(): Promise<void> {
    return this.#leave(() => this.#statements.release.run());
  }

  /** Takes the transaction back and hands the connection on. Settles with the group, whose state the failure may rest on. */
  undo(): Promise<void> {
    return this.#leave(() => {
      this.#statements.rollbackTo.run();
      this.#statements.release.run();
    });
  }

  /** Runs a single statement that writes. Its outcome is told when it is durable. */
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

  /** Lets those in who wait for the connection, until one of them has it. */
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
