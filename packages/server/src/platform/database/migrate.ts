/** Migrates a database to the schema of this version, or reports why it cannot. */
import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { StartError } from '#start-error';
import { findFact } from './deployment.ts';
import type { DialectName } from './dialect-name.ts';
import { COMPATIBLE_FROM } from './migrations/compatibility.ts';
import { migrationsFor } from './migrations/index.ts';

// oxlint-disable-next-line no-explicit-any -- the migrator works below the typed tables
type Untyped = Kysely<any>;
type Migrations = Readonly<Record<string, Migration>>;

/**
 * What a connection does about the schema when it is opened.
 *
 * @param described where the database is, for messages.
 * @throws StartError when the schema cannot be used.
 */
export type PrepareSchema = (db: Untyped, dialect: DialectName, described: string) => Promise<void>;

export interface SchemaState {
  /** The newest migration that was run; null in an empty database. */
  readonly newest: string | null;
  /** Migrations of this version that were not run. */
  readonly pending: readonly string[];
  /** Migrations of newer versions that were run. */
  readonly unknown: readonly string[];
  /** Whether this version can work with the schema that those migrations created: see migrations/compatibility.ts. */
  readonly isCompatible: boolean;
}

export async function schemaStateOf(
  db: Untyped,
  dialect: DialectName,
  migrations: Migrations = migrationsFor(dialect),
): Promise<SchemaState> {
  const done = await migrationsDone(db);
  const pending = Object.keys(migrations).filter((name) => !done.includes(name));
  const unknown = done.filter((name) => !Object.hasOwn(migrations, name));
  const compatibleFrom =
    unknown.length > 0 && pending.length === 0 ? await findFact(db, COMPATIBLE_FROM) : null;
  return {
    newest: done.at(-1) ?? null,
    pending,
    unknown,
    isCompatible:
      unknown.length === 0 || (compatibleFrom !== null && Object.hasOwn(migrations, compatibleFrom)),
  };
}

/**
 * Runs the pending migrations, all of them or none. Several processes may do so at the same time.
 * @throws StartError when a newer version wrote the database and this one cannot work with it; the database is then
 * unchanged.
 * @returns the state before.
 */
export async function migrate(
  db: Untyped,
  dialect: DialectName,
  described: string,
  migrations: Migrations = migrationsFor(dialect),
): Promise<SchemaState> {
  const before = await schemaStateOf(db, dialect, migrations);
  rejectNewer(before, described);
  if (before.pending.length === 0) return before;
  // On PostgreSQL the migrator creates its own tables before its transaction, in which replicas wait for each other.
  await (dialect === 'sqlite' ? db.transaction().execute(migrateToLatest) : migrateToLatest(db));
  return before;

  async function migrateToLatest(on: Untyped): Promise<void> {
    const provider = { getMigrations: () => Promise.resolve(migrations) };
    const { error } = await new Migrator({ db: on, provider }).migrateToLatest();
    if (error === undefined) return;
    throw error instanceof Error ? error : new Error('the migration failed', { cause: error });
  }
}

/** The migrations of this version, which call `onRun` with their name before they run. */
export function migrationsReporting(dialect: DialectName, onRun: (name: string) => void): Migrations {
  return Object.fromEntries(
    Object.entries(migrationsFor(dialect)).map(([name, { up }]) => [
      name,
      {
        up: (db: Untyped) => {
          onRun(name);
          return up(db);
        },
      },
    ]),
  );
}

export const migrateSchema: PrepareSchema = async (...where) => void (await migrate(...where));

/** For commands, which leave the schema as it is. */
export const requireSchema: PrepareSchema = async (db, dialect, described) => {
  const state = await schemaStateOf(db, dialect);
  rejectNewer(state, described);
  const [first] = state.pending;
  if (first === undefined) return;
  throw new StartError(
    `${described} has the schema of an older version (${first} is pending). Run svc-server migrate, or start the service.`,
  );
};

/** @throws StartError when a newer version wrote the database and this one cannot work with it. */
export function rejectNewer({ unknown, isCompatible }: SchemaState, described: string): void {
  if (isCompatible) return;
  throw new StartError(
    `${described} was written by a newer version of svc (${unknown[0]}). Start that version, or restore a backup made with this one.`,
  );
}

async function migrationsDone(db: Untyped): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration' || name === 'kyselyMigration')) return [];
  const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute();
  return rows.map(({ name }) => String(name));
}
