/**
 * The end of a transaction: work within it that runs last, and effects in memory after the commit, such as removing a
 * record from a cache or notifying a stream.
 *
 * Effects belong to one run of a transaction's work. They run in order, in the tick in which the commit is known, and
 * before anyone who waits for the transaction continues. A cache that they update is therefore exact within this
 * process. A run that is rolled back or repeated discards its effects.
 */
import type { Db, Tx } from './database.ts';

export type CommitEffect = () => void;
/** Runs within the transaction, once everything else in it is done. */
export type LastWork = () => Promise<void>;

interface AtItsEnd {
  readonly last: LastWork[];
  readonly effects: CommitEffect[];
}

export interface CommitEffects {
  /** Accepts effects for this transaction from now on. */
  begin(tx: Tx): void;
  /** @throws TypeError for a transaction that is not under way, because its effect would never run. */
  add(tx: Tx, effect: CommitEffect): void;
  /** @throws TypeError for a transaction that is not under way. */
  addLast(tx: Tx, work: LastWork): void;
  /** Runs the work that `addLast` added, in the order in which it was added. */
  runLast(tx: Tx): Promise<void>;
  committed(tx: Tx): void;
  rolledBack(tx: Tx): void;
}

/** @param onError called for an effect that threw. The transaction stays committed, and the other effects run. */
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
 * Runs a transaction, and its effects after the commit.
 *
 * @param whenCommitted called right after the work, with the effects that must run at the commit. Without it, they run
 * as soon as the query builder has reported the commit.
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
