/**
 * Adds entries to the log. Repeats of a fact that is merged raise the count of its entry instead. Each repeat is counted
 * durably before its caller continues. Repeats without a transaction of their own that arrive during a write share the
 * next one, so a flood costs one short write at a time and never waits for the end of the chain.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '#platform/cache-limit';
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Tracing } from '#platform/tracing/tracing';
import type { AuditRow } from './chain.ts';
import { insertCounts, raiseCount } from './counts-store.ts';
import type { AuditFact } from './fact.ts';
import { inGroups } from './groups.ts';
import { isMerged, keyOf, windowOf, type MergedFact } from './merging.ts';

/**
 * This cache only avoids taking the chain's lock. A key that was evicted is looked up in the database under the lock.
 */
const KNOWN_KEYS_MAX = 10_000;

export interface RepeatPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly tracing: Tracing;
  /** Locks the end of the chain until the transaction ends. */
  readonly lockChain: (tx: Tx) => Promise<void>;
  /** Extends the chain, whose end is locked. Returns a row for each fact. */
  readonly append: (tx: Tx, facts: readonly AuditFact[]) => Promise<readonly AuditRow[]>;
}

export interface Repeats {
  /**
   * Writes the facts of a transaction. Holds the chain's lock, so that of two replicas one adds an entry and the other
   * raises its count.
   */
  write(tx: Tx, facts: readonly AuditFact[]): Promise<void>;
  /** Writes a fact in a transaction that it may share with others. */
  writeAlone(fact: MergedFact): Promise<void>;
}

/** The facts with the same key in one write. */
interface Repeated {
  readonly repeatKey: string;
  readonly fact: MergedFact;
  readonly by: number;
}

export function createRepeats({ database, clock, tracing, lockChain, append }: RepeatPorts): Repeats {
  const known = new LRUCache<string, number>(atMost(KNOWN_KEYS_MAX));
  const isKnown = ({ repeatKey, fact }: Repeated) => {
    const at = known.get(repeatKey);
    const { after, before } = windowOf(fact, clock.now());
    return at !== undefined && at > after && at < before;
  };

  /** Raises the counts of existing entries, and returns what has no entry. */
  async function raise(tx: Tx, all: readonly Repeated[]): Promise<Repeated[]> {
    const now = clock.now();
    const missed: Repeated[] = [];
    for (const one of all) {
      const { repeatKey, by, fact } = one;
      if (!(await raiseCount(tx, { repeatKey, by, ...windowOf(fact, now) }))) missed.push(one);
    }
    return missed;
  }

  /** Changes nothing and returns false if one of the facts has no entry. */
  async function raiseOnly(all: readonly Repeated[]): Promise<boolean> {
    try {
      await database.transaction(async (tx) => {
        if ((await raise(tx, all)).length > 0) throw new EntryMissing();
      });
      return true;
    } catch (error) {
      if (error instanceof EntryMissing) return false;
      throw error;
    }
  }

  const write: Repeats['write'] = (tx, facts) =>
    tracing.span('audit', {}, async () => {
      await lockChain(tx);
      const missed = await raise(tx, repeatedOf(facts.filter(isMerged)));
      const single = facts.filter((fact) => !isMerged(fact));
      const rows = await append(tx, [...single, ...missed.map(({ fact }) => fact)]);
      const counts = rows.slice(single.length).flatMap(({ sequence, at: startedAt }, index) => {
        const one = missed[index];
        return one ? [{ sequence, startedAt, repeatKey: one.repeatKey, count: one.by }] : [];
      });
      await insertCounts(tx, counts);
    });

  return {
    write,
    writeAlone: inGroups<MergedFact>(async (facts) => {
      const all = repeatedOf(facts);
      if (all.every(isKnown) && (await raiseOnly(all))) return;
      await database.transaction((tx) => write(tx, facts));
      for (const { repeatKey } of all) known.set(repeatKey, clock.now());
    }),
  };
}

class EntryMissing extends Error {}

/** Sorted by key, so that two processes never wait for each other's rows. */
function repeatedOf(facts: readonly MergedFact[]): Repeated[] {
  const byKey = Map.groupBy(facts, keyOf);
  return [...byKey]
    .flatMap(([repeatKey, [fact, ...others]]) => (fact ? [{ repeatKey, fact, by: 1 + others.length }] : []))
    .toSorted((one, other) => (one.repeatKey < other.repeatKey ? -1 : 1));
}
