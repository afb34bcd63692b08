/**
 * Facts that one actor can repeat as often as they like. Within a minute of an entry, or on the same day for a daily
 * fact, repeats raise its count instead of adding entries. Each repeat is counted durably before its caller continues.
 * Repeats that arrive during a write share the next write, so a flood costs one short write at a time and never waits
 * for the end of the chain.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '#platform/cache-limit';
import { DAY_MS, type Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { AuditRow } from './chain.ts';
import { insertCounts, raiseCount } from './counts-store.ts';
import type { AuditFact } from './fact.ts';
import { inGroups } from './groups.ts';

const COUNTED_FOR_MS = 60_000;
/**
 * This cache only avoids taking the chain's lock. A key that was evicted is looked up in the database under the lock.
 */
const KNOWN_KEYS_MAX = 10_000;

export interface RepeatPorts {
  readonly database: Database;
  readonly clock: Clock;
  /** Locks the end of the chain until the transaction ends. */
  readonly lockChain: (tx: Tx) => Promise<void>;
  readonly append: (tx: Tx, facts: readonly AuditFact[]) => Promise<readonly AuditRow[]>;
}

/** The facts with the same key in one group of writes. */
interface Repeated {
  readonly repeatKey: string;
  readonly fact: AuditFact;
  readonly by: number;
}

export function createRepeats({ database, clock, lockChain, append }: RepeatPorts) {
  const known = new LRUCache<string, number>(atMost(KNOWN_KEYS_MAX));
  const isKnown = ({ repeatKey, fact }: Repeated) => {
    const at = known.get(repeatKey);
    const { after, before } = windowOf(fact, clock.now());
    return at !== undefined && at > after && at < before;
  };

  /** Raises the counts of existing entries, and returns the facts without such an entry. */
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

  /** Holds the chain's lock, so that of two replicas one adds the entry and the other raises its count. */
  async function raiseOrAdd(all: readonly Repeated[]): Promise<void> {
    await database.transaction(async (tx) => {
      await lockChain(tx);
      const missed = await raise(tx, all);
      if (missed.length === 0) return;
      const rows = await append(
        tx,
        missed.map(({ fact }) => fact),
      );
      const counts = missed.map(({ repeatKey, by }, index) => ({ repeatKey, count: by, row: rows[index] }));
      await insertCounts(
        tx,
        counts.flatMap(({ row, ...counted }) =>
          row ? [{ ...counted, sequence: row.sequence, startedAt: row.at }] : [],
        ),
      );
    });
    for (const { repeatKey } of all) known.set(repeatKey, clock.now());
  }

  return inGroups<AuditFact>(async (facts) => {
    const all = repeatedOf(facts);
    if (all.every(isKnown) && (await raiseOnly(all))) return;
    await raiseOrAdd(all);
  });
}

/** An entry that was created between these times, both excluded, counts this fact too. */
function windowOf({ isDaily }: AuditFact, now: number) {
  const midnight = now - (now % DAY_MS);
  return isDaily === true
    ? { after: midnight - 1, before: midnight + DAY_MS }
    : { after: now - COUNTED_FOR_MS, before: now + COUNTED_FOR_MS };
}

class EntryMissing extends Error {}

/** Sorted by key, so that two processes never wait for each other's rows. */
function repeatedOf(facts: readonly AuditFact[]): Repeated[] {
  const byKey = Map.groupBy(facts, keyOf);
  return [...byKey]
    .flatMap(([repeatKey, [fact, ...others]]) => (fact ? [{ repeatKey, fact, by: 1 + others.length }] : []))
    .toSorted((one, other) => (one.repeatKey < other.repeatKey ? -1 : 1));
}

/** An actor without an account is identified by the share link that they used. */
function keyOf({ action, actorId, subjectId, reportId, workspaceId, detail, isDaily }: AuditFact): string {
  if (isDaily === true) return [action, actorId, subjectId, workspaceId].join(' ');
  return [action, actorId ?? subjectId, reportId, detail].join(' ');
}
