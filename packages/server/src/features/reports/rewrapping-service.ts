/** Wraps the keys of all reports again, in batches, while reports are created, read and deleted. */
import type { Database } from '#platform/database/database';
import type { Rewrapping } from '#platform/report-keys';
import { SealBrokenError } from '#platform/sealing';
import * as store from './wrapped-keys-store.ts';

/** Few enough that a batch holds no lock for long: on SQLite every other writer waits. */
const ROWS_AT_ONCE = 100;

export interface RewrappingProgress {
  readonly done: number;
  readonly total: number;
}

export interface RewrappedKeys {
  /** The keys that the new master key wraps. */
  readonly count: number;
  /** Those of them that this run wrapped; an older master key wrapped them before. */
  readonly rewrapped: number;
  /** The reports whose keys no known master key unwraps. */
  readonly broken: readonly string[];
}

export async function rewrapKeys(
  database: Database,
  rewrap: Rewrapping,
  onProgress: (progress: RewrappingProgress) => void,
): Promise<RewrappedKeys> {
  const total = await store.countWrappedKeys(database.read);
  const broken: string[] = [];
  let count = 0;
  let rewrapped = 0;
  let last = '';
  for (;;) {
    const rows = await store.listWrappedKeys(database.read, last, ROWS_AT_ONCE);
    const changes = rows.flatMap((row) => {
      const fresh = rewrappedOrBroken(row);
      if (fresh === 'broken') broken.push(row.id);
      else count += 1;
      return fresh === 'broken' || fresh === null ? [] : [{ row, fresh }];
    });
    if (changes.length > 0)
      await database.transaction(async (tx) => {
        for (const { row, fresh } of changes) await store.replaceWrappedKey(tx, row, fresh);
      });
    rewrapped += changes.length;
    onProgress({ done: count + broken.length, total });
    if (rows.length < ROWS_AT_ONCE) return { count, rewrapped, broken };
    last = rows.at(-1)?.id ?? last;
  }

  function rewrappedOrBroken({ id, wrappedKey }: store.WrappedKeyRow): Uint8Array | null | 'broken' {
    try {
      return rewrap(id, wrappedKey);
    } catch (error) {
      if (error instanceof SealBrokenError) return 'broken';
      throw error;
    }
  }
}
