/** Migrates a database to the schema of this version, or reports why it cannot. */
import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StartError } from '#start-error';
import { findFact } from './deployment.ts';
import type { DialectName } from './dialect-name.ts';
import { COMPATIBLE_FROM, type Migrations } from './migrations/compatibility.ts';
import { migrationsFor } from './migrations/index.ts';
import { nameOf } from './migrations/migration.ts';

// oxlint-disable-next-line no-explicit-any -- the migrator works below the typed tables
type Untyped = Kysely<any>;

/**
 * What a connection does about the schema when it is opened.
 *
 * @param described where the database is, for messages.
 * @throws StartError when the schema cannot be used.
 */
export type PrepareSchema = (db: Untyped, dialect: DialectName, described: string) => Promise<void>;

/** All migrations are named without their digests. */
export interface SchemaState {
  /** The newest migration that was run; null in an empty database. */
  readonly newest: string | null;
  /** Migrations of this version that were not run. */
  readonly pending: readonly string[];
  /** Migrations of newer versions that were run. */
  readonly unknown: readonly string[];
  /** Why this version cannot work with the schema; null when it can. */
  readonly obstacle: Obstacle | null;
}

/**
 * Another build created the schema by other statements, or a newer version removed something that this one uses (see
 * migrations/compatibility.ts).
 */
type Obstacle = 'other build' | 'newer version';

export async function schemaStateOf(
  db: Untyped,
  dialect: DialectName,
  migrations: Migrations = migrationsFor(dialect),
): Promise<SchemaState> {
  const done = await migrationsDone(db);
  const known = Object.keys(migrations);
  const unknown = done.slice(known.length);
  return {
    newest: done.map(nameOf).at(-1) ?? null,
    pending: known.slice(done.length).map(nameOf),
    unknown: unknown.map(nameOf),
    obstacle: known.some((name, at) => at < done.length && name !== done[at])
      ? 'other build'
      : unknown.length === 0 || known.includes((await findFact(db, COMPATIBLE_FROM)) ?? '')
        ? null
        : 'newer version',
  };
}

/** The state of a database that does not exist yet. */
export function emptySchemaState(dialect: DialectName): SchemaState {
  const pending = Object.keys(migrationsFor(dialect)).map(nameOf);
  return { newest: null, pending, unknown: [], obstacle: null };
}

/**
 * Runs the pending migrations, all of them or none. Several processes may do so at the same time.
 * @throws StartError when this version cannot work with the schema; the database is then unchanged.
 * @returns the state before.
 */
export async function migrate(
  db: Untyped,
  dialect: DialectName,
  described: string,
  migrations: Migrations = migrationsFor(dialect),
): Promise<SchemaState> {
  const before = await schemaStateOf(db, dialect, migrations);
  rejectUnusable(before, dialect, described);
  if (before.pending.length === 0) return before;
  // On PostgreSQL the migrator creates its own tables before its transaction, in which replicas wait for each other.
  await (dialect === 'sqlite' ? db.transaction().execute(migrateToLatest) : migrateToLatest(db));
  return before;

  async function migrateToLatest(on: Untyped): Promise<void> {
    const provider = { getMigrations: () => Promise.resolve({ ...migrations }) };
    const { error } = await new Migrator({ db: on, provider }).migrateToLatest();
    if (error === undefined) return;
    throw error instanceof Error ? error : new Error('the migration failed', { cause: error });
  }
}

/** The migrations of this version, which call `onRun` with their name before they run. */
export function migrationsReporting(dialect: DialectName, onRun: (name: string) => void): Migrations {
  return Object.fromEntries(
    Object.entries(migrationsFor(dialect)).map(([recorded, { up }]) => [
      recorded,
      {
        up: (db: Untyped) => {
          onRun(nameOf(recorded));
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
  rejectUnusable(state, dialect, described);
  const [first] = state.pending;
  if (first === undefined) return;
  throw new StartError(
    `${described} has the schema of an older version (${first} is pending). Run svc-server migrate, or start the service.`,
  );
};

/** For reading, whatever migration is pending. */
export async function requireReadable(
  db: Untyped,
  dialect: DialectName,
  described: string,
  isCopy = false,
): Promise<void> {
  rejectUnusable(await schemaStateOf(db, dialect), isCopy ? 'copy' : dialect, described);
}

type Kind = DialectName | 'copy';

const instead: Readonly<Record<Obstacle, Readonly<Record<Kind, string>>>> = {
  'other build': {
    sqlite: 'Start that build, or move the data folder away to begin with an empty one.',
    postgres: 'Start that build, or set DATABASE_URL to an empty database.',
    copy: 'Use that build to read it.',
  },
  'newer version': {
    sqlite: 'Start that version, or restore a backup made with this one.',
    postgres: 'Start that version, or restore a backup made with this one.',
    copy: 'Use that version to read it.',
  },
};

/** @throws StartError when this version cannot work with the schema. */
export function rejectUnusable({ obstacle, unknown }: SchemaState, kind: Kind, described: string): void {
  if (obstacle === null) return;
  const by =
    obstacle === 'other build'
      ? 'created by another build of svc'
      : `written by a newer version of svc (${unknown[0]})`;
  throw new StartError(`${described} was ${by}. ${instead[obstacle][kind]}`);
}

async function migrationsDone(db: Untyped): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute();
  return rows.map(({ name }) => String(name));
}
