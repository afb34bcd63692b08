/**
 * Which older versions can work with a schema: "expand, then contract".
 *
 * During an upgrade of several replicas, the new version has migrated the database while processes of the previous
 * version still run, and may start again. So a migration only adds (an expansion), and what it replaces is removed by a
 * later version (a contraction). Each migration stores, in its transaction, the newest contraction so far; the first
 * migration counts as one. A version that knows this contraction can work with the schema, although it does not know
 * the expansions after it.
 */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { putFact } from '../deployment.ts';
import type { DialectName } from '../dialect-name.ts';
import type { Tables } from '../schema.ts';
import { dialects, recordedName, type SchemaMigration } from './migration.ts';

/** The fact in the table `deployment`: the recorded name of a migration. */
export const COMPATIBLE_FROM = 'schema-compatible-from';

/** By their recorded names, as the migrator runs them. */
export type Migrations = Readonly<Record<string, Migration>>;

export function runnable(migrations: readonly SchemaMigration[], dialect: DialectName): Migrations {
  let compatibleFrom: string | undefined;
  return Object.fromEntries(
    migrations.map(({ name, statements, isContraction = false }) => {
      const texts = statements(dialects[dialect]);
      const recorded = recordedName(name, texts);
      const from = isContraction ? recorded : (compatibleFrom ?? recorded);
      compatibleFrom = from;
      return [recorded, { up: (db: Kysely<Tables>) => run(db, texts, from) }];
    }),
  );
}

async function run(db: Kysely<Tables>, statements: readonly string[], compatibleFrom: string): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await putFact(db, COMPATIBLE_FROM, compatibleFrom);
}
