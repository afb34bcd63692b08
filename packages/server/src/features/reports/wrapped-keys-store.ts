/** The wrapped keys of all reports, for a new master key. */
import type { Db, Tx } from '#platform/database/database';

export interface WrappedKeyRow {
  readonly id: string;
  readonly wrappedKey: Uint8Array;
}

/** The wrapped keys of reports after an id, in the order of the ids. */
export async function listWrappedKeys(db: Db, afterId: string, most: number): Promise<WrappedKeyRow[]> {
  return db
    .selectFrom('reports')
    .select(['id', 'wrappedKey'])
    .where('id', '>', afterId)
    .where('wrappedKey', 'is not', null)
    .$narrowType<{ wrappedKey: Uint8Array }>()
    .orderBy('id')
    .limit(most)
    .execute();
}

export async function countWrappedKeys(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('wrappedKey', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Does not change a key that was replaced or deleted meanwhile. */
export async function replaceWrappedKey(
  tx: Tx,
  { id, wrappedKey }: WrappedKeyRow,
  rewrapped: Uint8Array,
): Promise<void> {
  await tx
    .updateTable('reports')
    .set({ wrappedKey: rewrapped })
    .where('id', '=', id)
    .where('wrappedKey', '=', wrappedKey)
    .execute();
}
