/**
 * Keeps what was found in the database under a secret, such as what a credential stands for, so that a request costs no
 * query for that.
 *
 * A record is forgotten in the same turn as the commit of anything that its topics tell of, before anyone who waits for
 * that commit goes on: so a request that comes after a revocation was answered never finds what was revoked. That holds
 * only where no other process changes the database; elsewhere nothing is kept and every find asks.
 */
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.ts';
import type { Bus } from './bus.ts';

const RECORDS_MAX = 10_000;

export interface RecordMemory<Found> {
  /** What is kept under the key, or else what `load` finds, which is kept from then on. */
  find(key: string, load: () => Promise<Found | null>): Promise<Found | null>;
  /** For a change that is no reason for a hint. */
  forget(key: string): void;
}

export interface RecordMemoryOptions<Found> {
  /** What tells of every change of the record; null for one that is not to be kept. */
  readonly topicsOf: (record: Found) => readonly string[] | null;
  /** Where records differ much in size: how many bytes all of them may take, and about how many one takes. */
  readonly size?: { readonly bytesMax: number; readonly bytesOf: (record: Found) => number };
}

interface Kept<Found> {
  readonly record: Found;
  readonly stopListening: () => void;
}

export function createRecordMemory<Found extends object>(
  database: Pick<Database, 'exclusive'>,
  bus: Pick<Bus, 'subscribe'>,
  { topicsOf, size }: RecordMemoryOptions<Found>,
): RecordMemory<Found> {
  if (!database.exclusive) return { find: (_, load) => load(), forget: () => undefined };
  const kept = new LRUCache<string, Kept<Found>>({
    ...(size
      ? { maxSize: size.bytesMax, sizeCalculation: ({ record }) => size.bytesOf(record) }
      : { max: RECORDS_MAX }),
    dispose: ({ stopListening }) => stopListening(),
  });

  async function loadAndKeep(key: string, load: () => Promise<Found | null>): Promise<Found | null> {
    const found = await load();
    const topics = found && topicsOf(found);
    if (!topics) return found;
    let changed = false;
    const ends = topics.map((topic) =>
      bus.subscribe(topic, () => {
        changed = true;
        if (kept.peek(key)?.stopListening === stopListening) kept.delete(key);
      }),
    );
    const stopListening = () => ends.forEach((end) => end());
    // What changed before the listening began is seen by loading again; what changes after it is heard.
    const record = await load().catch((error: unknown) => {
      stopListening();
      throw error;
    });
    if (!record || changed || !areSame(topics, topicsOf(record))) {
      stopListening();
      return record;
    }
    kept.set(key, { record, stopListening });
    // Too large to be kept.
    if (kept.peek(key)?.stopListening !== stopListening) stopListening();
    return record;
  }

  return {
    async find(key, load) {
      return kept.get(key)?.record ?? loadAndKeep(key, load);
    },
    forget: (key) => void kept.delete(key),
  };
}

function areSame(one: readonly string[], other: readonly string[] | null): boolean {
  return one.length === other?.length && one.every((topic, at) => topic === other[at]);
}
