/** Migrates a database to the schema of this version, or reports why it cannot. */
import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StartError } from '#start-error';
import type { DialectName } from './dialect-name.ts';
import { migrationsFor } from './migrations/index.ts';

/**
 * @param described where the database is, for messages.
 * @throws StartError when a newer version wrote the database or a migration failed; the database is then unchanged.
 */
// oxlint-disable-next-line no-explicit-any -- the migrator works below the typed tables
export async function migrate(db: Kysely<any>, dialect: DialectName, described: string): Promise<void> {
  const migrations = migrationsFor(dialect);
  const done = await migrationsDone(db);
  const unknown = done.filter((name) => !(name in migrations));
  if (unknown.length > 0) {
    throw new StartError(
      `${described} was written by a newer version of svc (${unknown[0]}). Start that version, or restore a backup made with this one.`,
    );
  }
  if (done.length === Object.keys(migrations).length) return;
  // On PostgreSQL the migrator's own transaction excludes its tables, so that replicas can wait for each other there.
  await (dialect === 'sqlite' ? db.transaction().execute(migrateToLatest) : migrateToLatest(db));

  // oxlint-disable-next-line no-explicit-any -- as above
  async function migrateToLatest(on: Kysely<any>): Promise<void> {
    const provider = { getMigrations: () => Promise.resolve(migrations) };
    const { error } = await new Migrator({ db: on, provider }).migrateToLatest();
    if (error === undefined) return;
    throw error instanceof Error ? error : new Error('the migration failed', { cause: error });
  }
}

// oxlint-disable-next-line no-explicit-any -- as above
async function migrationsDone(db: Kysely<any>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration' || name === 'kyselyMigration')) return [];
  const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute();
  return rows.map(({ name }) => String(name));
}
