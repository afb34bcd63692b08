/**
 * Keeps what credentials were found to stand for, so that a request costs no query for that.
 *
 * A record is forgotten in the same turn as the commit of anything that its owner's topic tells of, before anyone who waits
 * for that commit goes on: so a request that comes after a revocation was answered never finds what was revoked. That holds
 * only where no other process changes the database; elsewhere nothing is kept and every find asks.
 */
import type { Database } from '../database/database.ts';
import type { TokenHash } from '../tokens.ts';
import type { Bus } from './bus.ts';
import { topics } from './topics.ts';

/** About a kilobyte each. */
const RECORDS_MAX = 10_000;

export interface RecordMemory<Owned> {
  /** What is kept under the hash, or else what `load` finds, which is kept from then on. */
  find(hash: TokenHash, load: () => Promise<Owned | null>): Promise<Owned | null>;
  /** For a change that is no reason for a hint. */
  forget(hash: TokenHash): void;
}

interface Kept<Owned> {
  readonly record: Owned;
  readonly stopListening: () => void;
}

export function createRecordMemory<Owned extends { readonly userId: string }>(
  database: Pick<Database, 'exclusive'>,
  bus: Pick<Bus, 'subscribe'>,
): RecordMemory<Owned> {
  if (!database.exclusive) return { find: (_, load) => load(), forget: () => undefined };
  const kept = new Map<string, Kept<Owned>>();

  function forgetKey(key: string): void {
    kept.get(key)?.stopListening();
    kept.delete(key);
  }

  async function loadAndKeep(key: string, load: () => Promise<Owned | null>): Promise<Owned | null> {
    const found = await load();
    if (!found) return null;
    let changed = false;
    const stopListening = bus.subscribe(topics.user(found.userId), () => {
      changed = true;
      if (kept.get(key)?.stopListening === stopListening) forgetKey(key);
    });
    // What changed before the listening began is seen by loading again; what changes after it is heard.
    const record = await load().catch((error: unknown) => {
      stopListening();
      throw error;
    });
    if (!record || changed) {
      stopListening();
      return record;
    }
    forgetKey(key);
    if (kept.size >= RECORDS_MAX) forgetKey(kept.keys().next().value ?? '');
    kept.set(key, { record, stopListening });
    return record;
  }

  return {
    async find(hash, load) {
      const key = keyOf(hash);
      return kept.get(key)?.record ?? loadAndKeep(key, load);
    },
    forget: (hash) => forgetKey(keyOf(hash)),
  };
}

function keyOf(hash: TokenHash): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
}
