/** Which database the tests run on, and a fresh one for each server. */
import { randomUUID } from 'node:crypto';
import type { Config } from '@svc/server/config';
import pg from 'pg';

export interface TestDatabase {
  readonly config: Config['database'];
  drop(): Promise<void>;
}

/** The address of the PostgreSQL server of this run; unset when the tests run on SQLite. */
export const postgresUrl: string | undefined = process.env['SVC_TEST_POSTGRES_URL'];

export async function createTestDatabase(): Promise<TestDatabase> {
  if (postgresUrl === undefined) return { config: { kind: 'sqlite' }, drop: () => Promise.resolve() };
  const name = `svc_${randomUUID().replaceAll('-', '')}`;
  await runOnServer(postgresUrl, `CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  const server = postgresUrl;
  return {
    config: { kind: 'postgres', url: url.href },
    drop: () => runOnServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
