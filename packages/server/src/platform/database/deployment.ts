/** Named facts about the deployment. Apart from migrations, no other code writes their table. */
import { compiledOnce } from './compiled-once.ts';
import type { Db } from './database.ts';

export async function findFact(db: Db, name: string): Promise<string | null> {
  const [row] = await fact(db, { name });
  return row?.value ?? null;
}

const fact = compiledOnce((db, { name }: { name: string }) =>
  db.selectFrom('deployment').select('value').where('name', '=', name),
);

/** Reads all the facts in one query, so they belong to the same moment. */
export async function findFacts<Name extends string>(
  db: Db,
  names: readonly Name[],
): Promise<Partial<Record<Name, string>>> {
  const rows = await db
    .selectFrom('deployment')
    .select(['name', 'value'])
    .where('name', 'in', names)
    .execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value])) as Partial<Record<Name, string>>;
}

export async function putFact(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('deployment')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Keeps an existing value, which another replica may have stored first. */
export async function putFactOnce(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('deployment')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/**
 * @param value deletes only this value; null for any.
 * @returns false when nothing was deleted.
 */
export async function deleteFact(db: Db, name: string, value: string | null): Promise<boolean> {
  let query = db.deleteFrom('deployment').where('name', '=', name);
  if (value !== null) query = query.where('value', '=', value);
  return (await query.returning('name').executeTakeFirst()) !== undefined;
}
