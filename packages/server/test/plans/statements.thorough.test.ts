/**
 * Every statement that the service issues uses an index, with a few exceptions. The statements are recorded while every
 * endpoint and job is used. Then the databases say how they would execute them: PostgreSQL with a million reports, and
 * SQLite, whose plans do not depend on the number of rows.
 */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startPostgresServer, type PostgresServer } from '@svc/testkit';
import { unlessShort } from '@svc/testkit/lane';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateDatabase } from '../../src/compose.ts';
import { readConfig, type Config } from '../../src/config.ts';
import { startSampleServer } from '../contract/samples.ts';
import { multiplyRows } from './many-rows.ts';
import { emptyTables, foreignKeysWithoutIndex, walksOfPostgres } from './postgres-plans.ts';
import { recordStatements, type RecordedStatement } from './recorded-statements.ts';
import { walksOfSqlite } from './sqlite-plans.ts';
import { expireEverything, useEverything } from './whole-service.ts';

const REPORTS = unlessShort(20_000, 1_000_000);
const STATEMENTS_MIN = 200;

/** Tables that do not grow with the service. */
const SMALL = new Set(['deployment', 'analytics_counts']);
const isSmall = (table: string) => SMALL.has(table) || table.startsWith('kysely_');

const embedded = { database: { kind: 'sqlite' }, bucket: null, redis: null } as const;

const COUNTED =
  'The overview of the platform administrator counts whole tables. Nobody else waits for it, and counters would cost every write.';
/** Statements that may read a whole table, by their beginning. */
const allowed: Readonly<Record<string, string>> = {
  'select count(*) as "count" from "users"': COUNTED,
  'select count(*) as "count" from "devices"': COUNTED,
  'select count(*) as "count" from "projects"': COUNTED,
  'select count(*) as "count" from "shares"': COUNTED,
  'select count(*) as "count" from "support_grants"': COUNTED,
  'select count(*) as "count" from "uploads"': COUNTED,
  'select "kind", "plan", count(*) as "count" from "workspaces"': COUNTED,
  'select "state", count(*) as "count" from "reports"': COUNTED,
  'select "action", sum(coalesce("audit_counts"."count", 1)) as "count" from "audit_log"': COUNTED,
};
const allowing = ({ text }: RecordedStatement) =>
  Object.keys(allowed).find((start) => text.startsWith(start));

type Walks = (statement: RecordedStatement) => Promise<string[]> | string[];

/** Returns the statements that read too much without an exception, and the exceptions that no statement needs. */
async function judged(statements: readonly RecordedStatement[], walksOf: Walks) {
  const unused = new Set(Object.keys(allowed));
  const slow: string[] = [];
  for (const statement of statements) {
    const walks = await walksOf(statement);
    const start = allowing(statement);
    if (walks.length > 0 && start !== undefined) unused.delete(start);
    else if (walks.length > 0) slow.push(`${walks.join(', ')}: ${statement.text}`);
  }
  return { slow, unused: [...unused] };
}

async function recordedOn(database: Config['database']): Promise<RecordedStatement[]> {
  // The database is migrated before recording begins, so that the statements of migrations are not recorded.
  if (database.kind === 'postgres') await migrateDatabase({ ...readConfig({}), database });
  else await (await startSampleServer(embedded)).close();
  const recording = recordStatements();
  try {
    await using server = await startSampleServer({ ...embedded, database });
    await useEverything(server);
    await expireEverything(server);
    return recording.statements();
  } finally {
    recording.stop();
  }
}

test('on SQLite, every statement uses an index', async () => {
  const statements = await recordedOn({ kind: 'sqlite' });
  expect(statements.length).toBeGreaterThan(STATEMENTS_MIN);
  await using server = await startSampleServer(embedded);
  const connection = new DatabaseSync(path.join(server.dataDir, 'svc.db'));
  try {
    const statistics = connection.prepare(`SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'`);
    expect(statistics.all()).toEqual([]);
    const { slow } = await judged(statements, ({ text }) => walksOfSqlite(connection, text, isSmall));
    expect(slow).toEqual([]);
  } finally {
    connection.close();
  }
});

describe('on PostgreSQL', () => {
  let postgres: PostgresServer;
  let client: pg.Client;
  let statements: readonly RecordedStatement[];

  beforeAll(async () => {
    postgres = await startPostgresServer({ durable: false });
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query('CREATE DATABASE recorded');
    await admin.query('CREATE DATABASE large');
    await admin.end();
    const urlOf = (name: string) => Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
    statements = await recordedOn({ kind: 'postgres', url: urlOf('recorded') });
    const large = { kind: 'postgres', url: urlOf('large') } as const;
    {
      await using server = await startSampleServer({ ...embedded, database: large });
      await useEverything(server);
    }
    client = new pg.Client({ connectionString: large.url });
    await client.connect();
    await multiplyRows(client, { reports: REPORTS, rowsMax: REPORTS / 5, isSmall });
  }, 600_000);
  afterAll(async () => {
    await client?.end();
    await postgres?.remove();
  });

  test('every statement uses an index', async () => {
    expect(await emptyTables(client)).toEqual([]);
    expect(statements.length).toBeGreaterThan(STATEMENTS_MIN);
    const { slow, unused } = await judged(statements, (each) => walksOfPostgres(client, each, isSmall));
    expect({ slow, unused }).toEqual({ slow: [], unused: [] });
  });

  test('every foreign key has an index, so that deletions do not read the tables that refer to a row', async () => {
    expect(await foreignKeysWithoutIndex(client)).toEqual([]);
  });

  test.each([
    ['a table', `SELECT * FROM reports WHERE project_name = 'x'`, 'reads all rows of reports'],
    ['an index', 'SELECT count(*) FROM shares', 'reads the whole index'],
    [
      'most of an index for a few rows',
      `SELECT id FROM reports WHERE effort_resolved = 'x' ORDER BY id LIMIT 1`,
      'reads',
    ],
  ])('reports a statement that reads %s', async (_, text, said) => {
    expect((await walksOfPostgres(client, { text, values: [] }, isSmall)).join()).toContain(said);
  });
});
