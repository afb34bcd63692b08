/** Selects the kind of database for the tests, and creates a database with the full schema for each server. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '@svc/server/compose';
import { readConfig, type Config } from '@svc/server/config';
import pg from 'pg';

const FILE_NAME = 'svc.db';

export interface TestDatabase {
  readonly config: Config['database'];
  drop(): Promise<void>;
}

/** The URL of the PostgreSQL server of this run; unset for SQLite. */
export const postgresUrl: string | undefined = process.env['SVC_TEST_POSTGRES_URL'];

export interface TestStorage extends AsyncDisposable {
  readonly dataDir: string;
  readonly database: Config['database'];
}

/** A folder and an empty database that outlive the servers of a test, so that a second start is a restart. */
export async function createTestStorage(): Promise<TestStorage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-storage-'));
  const { config, drop } = await createTestDatabase();
  return {
    dataDir,
    database: config,
    async [Symbol.asyncDispose]() {
      await drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** An empty database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return postgresUrl === undefined ? onSqlite : createOnPostgres(postgresUrl);
}

/** An empty PostgreSQL database, for suites that need PostgreSQL. */
export async function createTestPostgres(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const { config, drop } = await createTestDatabase();
  if (config.kind !== 'postgres') throw new Error('this run has no PostgreSQL');
  return { url: config.url, drop };
}

/**
 * A database with the schema and no rows.
 *
 * @param dataDir the data folder of the server, which contains the SQLite file.
 */
export async function createMigratedDatabase(dataDir: string): Promise<TestDatabase> {
  if (postgresUrl !== undefined) {
    migratedTemplate ??= createTemplate(postgresUrl);
    return createOnPostgres(postgresUrl, await migratedTemplate);
  }
  migratedFile ??= readMigratedFile();
  await writeFile(join(dataDir, FILE_NAME), await migratedFile, { mode: 0o600 });
  return onSqlite;
}

const onSqlite: TestDatabase = { config: { kind: 'sqlite' }, drop: () => Promise.resolve() };

/** Each worker creates the schema once; its servers start from copies. */
let migratedFile: Promise<Buffer> | undefined;
let migratedTemplate: Promise<string> | undefined;

async function readMigratedFile(): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-migrated-'));
  try {
    await migrate(dataDir, { kind: 'sqlite' });
    return await readFile(join(dataDir, FILE_NAME));
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

async function createTemplate(server: string): Promise<string> {
  const name = newName();
  await runOn(server, `CREATE DATABASE ${name}`);
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-migrated-'));
  try {
    await migrate(dataDir, { kind: 'postgres', url: urlOf(server, name) });
  } finally {
    await rm(dataDir, { recursive: true });
  }
  return name;
}

async function createOnPostgres(server: string, from = 'template1'): Promise<TestDatabase> {
  const name = newName();
  // Copies files, not pages by way of the log: half the processor time.
  await runOn(server, `CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY FILE_COPY`);
  return {
    config: { kind: 'postgres', url: urlOf(server, name) },
    drop: () => runOn(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

function migrate(dataDir: string, database: Config['database']): Promise<void> {
  return migrateDatabase({ ...readConfig({ DATA_DIR: dataDir }), database });
}

function newName(): string {
  return `svc_${randomUUID().replaceAll('-', '')}`;
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function runOn(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
