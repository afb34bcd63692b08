/**
 * Which older versions can work with a schema: "expand, then contract".
 *
 * During an upgrade of several replicas, the new version has migrated the database while processes of the previous
 * version still run, and may start again. So a migration only adds (an expansion), and what it replaces is removed by a
 * later version (a contraction). Each migration stores, in its transaction, the newest contraction so far. A version
 * that knows this contraction can work with the schema, although it does not know the expansions after it.
 */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The fact in the table `deployment`. */
export const COMPATIBLE_FROM = 'schema-compatible-from';

/** The last migration before this rule. Older versions cannot work with a newer schema. */
const FIRST = '0010-prepared-projections';

/** Adds the fact to the migrations after the rule. */
export function withCompatibility(
  migrations: Readonly<Record<string, Migration>>,
  contractions: ReadonlySet<string>,
): Record<string, Migration> {
  let compatibleFrom = FIRST;
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => {
      if (name <= FIRST) return [name, migration];
      if (contractions.has(name)) compatibleFrom = name;
      const value = compatibleFrom;
      return [name, { up: (db: Untyped) => upWithFact(db, migration, value) }];
    }),
  );
}

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
type Untyped = Kysely<any>;

async function upWithFact(db: Untyped, migration: Migration, value: string): Promise<void> {
  await migration.up(db);
  await db
    .insertInto('deployment')
    .values({ name: COMPATIBLE_FROM, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
