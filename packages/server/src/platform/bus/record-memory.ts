/**
 * A cache of what the database stores under a secret, such as the account of a credential, so that a request costs no
 * query for it.
 *
 * A record is removed in the tick of the commit of any change that its topics announce, before anyone who waits for
 * that commit continues. So a request that arrives after a revocation was answered never finds the revoked record. On
 * SQLite, a commit of another process removes all records before the next use. On PostgreSQL nothing is cached.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../cache-limit.ts';
import type { Database } from '../database/database.ts';
import type { Bus } from './bus.ts';

const RECORDS_MAX = 10_000;

export interface RecordMemory<Found> {
  /** Returns the cached record, or else the result of `load`, which is then cached if its topics allow that. */
  find(key: string, load: () => Promise<Found | null>): Promise<Found | null>;
  /** Removes a record after a change without a hint. */
  forget(key: string): void;
}

export interface RecordMemoryOptions<Found> {
  /** The topics that announce every change of the record; null for one that must not be cached. */
  readonly topicsOf: (record: Found) => readonly string[] | null;
  /**
   * Used for records of very different sizes: the maximum size of all records together, and the approximate size of
   * one.
   */
  readonly size?: { readonly bytesMax: number; readonly bytesOf: (record: Found) => number };
}

interface Kept<Found> {
  readonly record: Found;
  readonly stopListening: () => void;
}

export function createRecordMemory<Found extends object>(
  database: Pick<Database, 'exclusive'>,
  bus: Pick<Bus, 'subscribe' | 'refresh'>,
  { topicsOf, size }: RecordMemoryOptions<Found>,
): RecordMemory<Found> {
  if (!database.exclusive) return { find: (_, load) => load(), forget: () => undefined };
  const kept = new LRUCache<string, Kept<Found>>({
    ...(size
      ? { maxSize: size.bytesMax, sizeCalculation: ({ record }) => size.bytesOf(record) }
      : atMost(RECORDS_MAX)),
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
    // Loads it again, since the record may have changed before the listener was added. A later change arrives as a
    // hint.
    const record = await load().catch((error: unknown) => {
      stopListening();
      throw error;
    });
    if (!record || changed || !areSame(topics, topicsOf(record))) {
      stopListening();
      return record;
    }
    kept.set(key, { record, stopListening });
    // The record is too large to be cached.
    if (kept.peek(key)?.stopListening !== stopListening) stopListening();
    return record;
  }

  return {
    async find(key, load) {
      bus.refresh();
      return kept.get(key)?.record ?? loadAndKeep(key, load);
    },
    forget: (key) => void kept.delete(key),
  };
}

function areSame(one: readonly string[], other: readonly string[] | null): boolean {
  return one.length === other?.length && one.every((topic, at) => topic === other[at]);
}
