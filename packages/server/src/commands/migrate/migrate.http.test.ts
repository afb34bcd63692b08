/** `migrate` on an empty database, an up-to-date one, and one of a newer version. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createTestStorage, startServer } from '@svc/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeDatabase } from '../../../test/change-database.ts';
import { runCommand, valueOfCommand } from '../../../test/run-command.ts';
import { migrations, migrationsFor } from '#platform/database/migrations/index';
import { readConfig, type Environment } from '../../config.ts';
import { openToChange } from '../databases.ts';

const all = migrations.map(({ name }) => name);
const newest = all.at(-1) ?? '';
let storage: Awaited<ReturnType<typeof createTestStorage>>;
let environment: Environment;
/** The newest migration, as the database records it. */
let recorded: string;

beforeEach(async () => {
  storage = await createTestStorage();
  recorded = Object.keys(migrationsFor(storage.database.kind)).at(-1) ?? '';
  await rm(path.join(storage.dataDir, 'svc.db'), { force: true });
  environment = {
    DATA_DIR: storage.dataDir,
    ...(storage.database.kind === 'postgres' ? { DATABASE_URL: storage.database.url } : {}),
  };
});
afterEach(() => storage[Symbol.asyncDispose]());

const migrate = (...options: string[]) => runCommand(['migrate', ...options], environment);

const change = (statement: string) => changeDatabase(storage, statement);

/** The rows that a newer version leaves after it has run a migration. */
async function future(compatibleFrom: string | null): Promise<void> {
  await change("insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '')");
  await change("delete from deployment where name = 'schema-compatible-from'");
  if (compatibleFrom !== null)
    await change(
      `insert into deployment (name, value) values ('schema-compatible-from', '${compatibleFrom}')`,
    );
}

test('creates the schema, and then finds it up to date', async () => {
  expect(await migrate('--check')).toEqual({
    exitCode: 1,
    lines: [
      all.length === 1 ? '1 migration is pending:' : `${all.length} migrations are pending:`,
      ...all.map((name) => `- ${name}`),
      'Run svc-server migrate, or start the service.',
    ],
  });
  expect(existsSync(path.join(storage.dataDir, 'svc.db'))).toBe(false);
  expect(await migrate()).toEqual({
    exitCode: 0,
    lines: [
      `Migrated the database from empty to ${newest}. These migrations ran:`,
      ...all.map((name) => `- ${name}`),
    ],
  });
  const upToDate = { exitCode: 0, lines: [`The database is up to date: ${newest}.`] };
  expect([await migrate(), await migrate('--check')]).toEqual([upToDate, upToDate]);
  expect(await valueOfCommand(['migrate', '--check'], environment)).toEqual({
    command: 'migrate',
    exitCode: 0,
    from: newest,
    to: newest,
    ran: [],
    pending: [],
  });
});

test('rejects a database of a newer version', async () => {
  await migrate();
  await future(null);
  for (const given of [[], ['--check']])
    expect(await migrate(...given)).toEqual({
      exitCode: 2,
      lines: [expect.stringMatching(/was written by a newer version of svc \(9999-from-the-future\)/)],
    });
});

test('[D15] works on a newer schema whose additions this version can ignore, and the service starts on it', async () => {
  await migrate();
  await future(recorded);
  expect(await migrate()).toEqual({
    exitCode: 0,
    lines: [
      'The database has the schema of a newer version (9999-from-the-future). This version can work with it.',
    ],
  });
  const server = await startServer({ config: { database: storage.database, dataDir: storage.dataDir } });
  await server.signUp();
  await server.close();
});

test('[D15] rejects a newer schema from which something was removed that this version uses', async () => {
  await migrate();
  await future('9998-a-contraction');
  expect(await migrate()).toMatchObject({ exitCode: 2 });
});

test('other commands name the command to run while a migration is pending', async () => {
  await migrate();
  await change(`delete from kysely_migration where name = '${recorded}'`);
  await expect(openToChange(readConfig(environment))).rejects.toThrow(
    new RegExp(`${newest} is pending\\)\\. Run svc-server migrate`),
  );
});

test('reports that a database cannot be reached, without its password', async () => {
  const DATABASE_URL = 'postgres://keeper:hunter2@127.0.0.1:1/svc';
  const { exitCode, lines } = await runCommand(['migrate'], { DATA_DIR: storage.dataDir, DATABASE_URL });
  expect([exitCode, lines.join('\n')]).toEqual([2, expect.stringContaining('nothing listens there')]);
  expect(lines.join('\n')).not.toContain('hunter2');
});

test('finds the database of a running service up to date', async () => {
  const server = await startServer({ config: { database: storage.database, dataDir: storage.dataDir } });
  expect(await migrate()).toMatchObject({ exitCode: 0 });
  await server.close();
});
