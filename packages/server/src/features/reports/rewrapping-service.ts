/**
 * Wraps the keys of all reports, and of the notes of all projects, again. It works in batches, while reports and
 * projects are created and deleted.
 */
import type { Database, Db, Tx } from '#platform/database/database';
import type { Rewrapping } from '#platform/report-keys';
import { SealBrokenError } from '#platform/sealing';
import { countNotesKeys, listNotesKeys, replaceNotesKey } from '#features/projects';
import {
  countWrappedKeys,
  listWrappedKeys,
  replaceWrappedKey,
  type WrappedKeyRow,
} from './wrapped-keys-store.ts';

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
  /** The reports, and the projects with notes, whose keys no known master key unwraps. */
  readonly broken: readonly string[];
}

/** Where wrapped keys are stored. */
interface KeyStore {
  readonly count: (db: Db) => Promise<number>;
  readonly list: (db: Db, afterId: string, most: number) => Promise<WrappedKeyRow[]>;
  readonly replace: (tx: Tx, row: WrappedKeyRow, rewrapped: Uint8Array) => Promise<void>;
}

const keyStores: readonly KeyStore[] = [
  { count: countWrappedKeys, list: listWrappedKeys, replace: replaceWrappedKey },
  { count: countNotesKeys, list: listNotesKeys, replace: replaceNotesKey },
];

export async function rewrapKeys(
  database: Database,
  rewrap: Rewrapping,
  onProgress: (progress: RewrappingProgress) => void,
): Promise<RewrappedKeys> {
  let total = 0;
  for (const { count } of keyStores) total += await count(database.read);
  const broken: string[] = [];
  let count = 0;
  let rewrapped = 0;
  for (const { list, replace } of keyStores) {
    let last = '';
    for (;;) {
      const rows = await list(database.read, last, ROWS_AT_ONCE);
      const changes = rows.flatMap((row) => {
        const fresh = rewrappedOrBroken(row);
        if (fresh === 'broken') broken.push(row.id);
        else count += 1;
        return fresh === 'broken' || fresh === null ? [] : [{ row, fresh }];
      });
      if (changes.length > 0)
        await database.transaction(async (tx) => {
          for (const { row, fresh } of changes) await replace(tx, row, fresh);
        });
      rewrapped += changes.length;
      onProgress({ done: count + broken.length, total });
      if (rows.length < ROWS_AT_ONCE) break;
      last = rows.at(-1)?.id ?? last;
    }
  }
  return { count, rewrapped, broken };

  function rewrappedOrBroken({ id, wrappedKey }: WrappedKeyRow): Uint8Array | null | 'broken' {
    try {
      return rewrap(id, wrappedKey);
    } catch (error) {
      if (error instanceof SealBrokenError) return 'broken';
      throw error;
    }
  }
}
