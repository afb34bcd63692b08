/** Twenty processes that migrate one database at the same time, and a migration that is stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { startPostgresServer, type PostgresServer } from '@svc/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations, migrationsFor } from '#platform/database/migrations/index';

const PROGRAM = path.join(import.meta.dirname, '../../dist/main.mjs');
const PROCESSES = 20;
const all = migrations.map(({ name }) => name);

let folder: string;
let postgres: PostgresServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-migrate-'));
  postgres = await startPostgresServer({ durable: false });
});
afterAll(async () => {
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly errors: string;
  readonly value: { readonly to: string; readonly ran: readonly string[] };
}

async function migrate(environment: Record<string, string>): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, 'migrate', '--json'], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: code as number, errors, value: JSON.parse(output) as Ended['value'] };
}

const together = (environment: Record<string, string>) =>
  Promise.all(Array.from({ length: PROCESSES }, () => migrate(environment)));

/** The processes that failed, the schemas that the processes ended with, and the migrations that they ran. */
const summaryOf = (ended: readonly Ended[]) => ({
  failed: ended.filter(({ code }) => code !== 0),
  schemas: [...new Set(ended.map(({ value }) => value.to))],
  ran: ended.filter(({ value }) => value.ran.length > 0).map(({ value }) => value.ran),
});
const oneSchema = { failed: [], schemas: [all.at(-1)], ran: [all] };

async function onDatabase<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test('[D15] twenty processes that migrate an empty PostgreSQL database create one schema', async () => {
  await onDatabase(postgres.url, (client) => client.query('CREATE DATABASE together'));
  const url = postgres.url.replace(/postgres$/, 'together');
  const ended = await together({ DATABASE_URL: url, DATA_DIR: path.join(folder, 'unused') });
  expect(summaryOf(ended)).toEqual(oneSchema);
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ name: string }>('select name from kysely_migration order by name'),
  );
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrationsFor('postgres')));
});

test('[D15] twenty processes that migrate an empty data folder create one schema', async () => {
  expect(summaryOf(await together({ DATA_DIR: path.join(folder, 'together') }))).toEqual(oneSchema);
});

test('[D15] a migration that is stopped while it waits leaves nothing behind, and the next one completes', async () => {
  await onDatabase(postgres.url, (client) => client.query('CREATE DATABASE stopped'));
  const url = postgres.url.replace(/postgres$/, 'stopped');
  const environment = { DATABASE_URL: url, DATA_DIR: path.join(folder, 'unused') };
  await onDatabase(url, async (client) => {
    await client.query('BEGIN');
    // A table of the same name that is not committed yet: the migration waits for it.
    await client.query('CREATE TABLE users (id text)');
    const child = spawn(process.execPath, [PROGRAM, 'migrate'], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const waiting =
      'select 1 from pg_stat_activity where datname = current_database() and wait_event_type = $1';
    // Asks outside of the transaction, which would see the same activity each time.
    const isWaiting = async () =>
      (await onDatabase(url, (other) => other.query(waiting, ['Lock']))).rows.length > 0;
    while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill('SIGTERM');
    const [errors] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([child.exitCode, errors]).toEqual([2, 'Interrupted.\n']);
    await client.query('ROLLBACK');
  });
  const { code, value } = await migrate(environment);
  expect([code, value.ran]).toEqual([0, all]);
});
