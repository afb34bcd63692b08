/**
 * What a transaction wants done at its end: work within it that comes last, and what is done in memory once it is committed,
 * such as a record dropped from a cache or a stream told.
 *
 * Effects belong to one run of a transaction's work. They run in the order in which they were asked for, in the turn in
 * which the commit is known and before anyone who waits for the transaction goes on; so a cache that is changed by them is
 * exact within this process. A run that is rolled back, or run again, leaves none behind.
 */
import type { Db, Tx } from './database.ts';

export type CommitEffect = () => void;
/** Within the transaction, once all else of it is done. */
export type LastWork = () => Promise<void>;

interface AtItsEnd {
  readonly last: LastWork[];
  readonly effects: CommitEffect[];
}

export interface CommitEffects {
  /** Takes effects for this transaction from now on. */
  begin(tx: Tx): void;
  /** @throws TypeError for a transaction that is not under way, whose effect would never run. */
  add(tx: Tx, effect: CommitEffect): void;
  /** @throws TypeError as above. */
  addLast(tx: Tx, work: LastWork): void;
  /** Runs what is to come last, in the order in which it was asked for. */
  runLast(tx: Tx): Promise<void>;
  committed(tx: Tx): void;
  rolledBack(tx: Tx): void;
}

/** @param onError told of an effect that threw; the transaction is committed all the same, and the other effects run. */
export function createCommitEffects(onError: (error: unknown) => void): CommitEffects {
  const underWay = new Map<Tx, AtItsEnd>();

  function endOf(tx: Tx): AtItsEnd {
    const end = underWay.get(tx);
    if (!end) throw new TypeError('this transaction is not under way');
    return end;
  }

  return {
    begin(tx) {
      underWay.set(tx, { last: [], effects: [] });
    },
    add(tx, effect) {
      endOf(tx).effects.push(effect);
    },
    addLast(tx, work) {
      endOf(tx).last.push(work);
    },
    async runLast(tx) {
      for (const work of endOf(tx).last) await work();
    },
    committed(tx) {
      const effects = underWay.get(tx)?.effects ?? [];
      underWay.delete(tx);
      for (const effect of effects) {
        try {
          effect();
        } catch (error) {
          onError(error);
        }
      }
    },
    rolledBack(tx) {
      underWay.delete(tx);
    },
  };
}

/**
 * Runs a transaction whose effects run when it has been committed.
 *
 * @param whenCommitted registers what is to be done at the commit, right after the work; without it, that is done as soon as
 *   the query builder has told the commit.
 */
export async function transactionWithEffects<Result>(
  db: Db,
  effects: CommitEffects,
  work: (tx: Tx) => Promise<Result>,
  whenCommitted?: (effect: CommitEffect) => void,
): Promise<Result> {
  let begun: Tx | undefined;
  try {
    const result = await db.transaction().execute(async (tx) => {
      begun = tx;
      effects.begin(tx);
      const answer = await work(tx);
      await effects.runLast(tx);
      whenCommitted?.(() => effects.committed(tx));
      return answer;
    });
    if (begun && !whenCommitted) effects.committed(begun);
    return result;
  } catch (error) {
    if (begun) effects.rolledBack(begun);
    throw error;
  }
}
