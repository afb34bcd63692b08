/** `doctor` beside a running service, and with faults planted. */
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  createTestDatabase,
  filesIn,
  freePort,
  postgresUrl,
  startServer,
  syncReport,
  type TestDatabase,
  type TestServer,
} from '@svc/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrations, migrationsFor } from '#platform/database/migrations/index';
import { changeDatabase } from '../../../test/change-database.ts';
import { runCommand, valueOfCommand } from '../../../test/run-command.ts';
import type { Finding } from './check.ts';

let place: TestDatabase;
let server: TestServer;
let environment: Record<string, string>;

beforeEach(async () => {
  place = await createTestDatabase();
  server = await startServer({ config: { database: place.config, bucket: null } });
  environment = {
    DATA_DIR: server.dataDir,
    ...(place.config.kind === 'postgres' ? { DATABASE_URL: place.config.url } : {}),
  };
});
afterEach(async () => {
  await server.close();
  await place.drop();
});

const doctor = (more: Record<string, string> = {}) => runCommand(['doctor'], { ...environment, ...more });

async function findings(more: Record<string, string> = {}): Promise<readonly Finding[]> {
  const value = await valueOfCommand(['doctor'], { ...environment, ...more });
  return value['findings'] as Finding[];
}

const change = (statement: string) =>
  changeDatabase({ dataDir: server.dataDir, database: place.config }, statement);

/** The results that are not ok, except for the disk, whose result depends on the machine. */
const notOk = async (more: Record<string, string> = {}) =>
  (await findings(more))
    .filter(({ check, status }) => status !== 'ok' && check !== 'disk')
    .map(({ check, status, text }) => [check, status, text]);

describe('over a running service', () => {
  test('finds no fault, and leaves nothing behind', async () => {
    await syncReport(await server.linkDevice(await server.signUp()));
    const state = async () => [
      filesIn(server.dataDir)
        .filter((file) => !/svc\.db-/.test(file))
        .toSorted(),
      await server.service.database.read.selectFrom('deployment').select('name').orderBy('name').execute(),
    ];
    const before = await state();
    expect(await notOk()).toEqual([]);
    expect(await state()).toEqual(before);
  });

  test('prints a line for each result, and their number in the last line', async () => {
    const { lines } = await doctor();
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^(?:ok|warning|fault) +[a-z ]+: .*\.$/);
    expect(lines.at(-1)).toMatch(/^\d+ results: \d faults?, \d warnings?\.$/);
    const checks = new Set((await findings()).map(({ check }) => check));
    expect([...checks]).toEqual([
      'configuration',
      'node',
      'modes',
      'file system',
      'disk',
      'addresses',
      'files',
      'database',
      'master key',
      'settings',
      'blobs',
      'redis',
    ]);
  });
});

describe('a planted fault', () => {
  test('is found when the master key is of another deployment, and when it is missing', async () => {
    const file = path.join(server.dataDir, 'master.key');
    const key = await readFile(file);
    await writeFile(file, `${Buffer.alloc(32, 7).toString('base64')}\n`);
    expect(await doctor()).toMatchObject({ exitCode: 1 });
    expect(await notOk()).toEqual([
      ['master key', 'fault', expect.stringContaining('is not the key of this deployment')],
    ]);
    await rm(file);
    expect(await notOk()).toEqual([['master key', 'fault', expect.stringContaining('is missing')]]);
    await writeFile(file, key);
  });

  test('is found in files that others can read', async () => {
    const file = path.join(server.dataDir, 'master.key');
    await chmod(file, 0o644);
    expect((await notOk()).filter(([check]) => check === 'modes')).toEqual([
      ['modes', 'warning', `${file} can be read by other users of this machine: chmod 600 it.`],
    ]);
    await chmod(server.dataDir, 0o755);
    expect((await notOk()).filter(([check]) => check === 'modes')).toEqual([
      ['modes', 'warning', expect.stringContaining('chmod 700')],
      ['modes', 'fault', expect.stringContaining('chmod 600')],
    ]);
  });

  test('is found in the schema of an older and of a newer version', async () => {
    const newest = Object.keys(migrationsFor(place.config.kind)).at(-1) ?? '';
    await change(`delete from kysely_migration where name = '${newest}'`);
    expect(await notOk()).toContainEqual([
      'database',
      'warning',
      expect.stringContaining(`1 migration is pending, first ${migrations.at(-1)?.name}.`),
    ]);
    await change(`insert into kysely_migration (name, timestamp) values ('${newest}', '')`);
    await change(`insert into kysely_migration (name, timestamp) values ('9999-newer', '')`);
    const isCompatibleFrom = (name: string) =>
      change(`update deployment set value = '${name}' where name = 'schema-compatible-from'`);
    await isCompatibleFrom('9999-newer');
    expect(await notOk()).toContainEqual(['database', 'fault', expect.stringContaining('9999-newer')]);
    await isCompatibleFrom(newest);
    expect(await notOk()).toContainEqual([
      'database',
      'warning',
      expect.stringContaining('Complete the upgrade'),
    ]);
  });

  test('is found in the files of the operator', async () => {
    const broken = path.join(server.dataDir, 'broken.json');
    await writeFile(broken, '{');
    for (const name of ['PLANS_PATH', 'THROTTLES_PATH', 'UPDATE_MANIFEST_PATH'])
      expect((await notOk({ [name]: broken })).filter(([check]) => check === 'files')).toEqual([
        ['files', 'fault', expect.stringContaining(`${name}: `)],
      ]);
  });

  test.each<[string, Record<string, string>]>([
    ['APP_BASE_URL: without https', { APP_BASE_URL: 'http://reports.example.com' }],
    ['TRUSTED_PROXY_HOPS: is 0', { APP_BASE_URL: 'https://reports.example.com' }],
    ['APP_BASE_URL is not set', { HOST: '0.0.0.0' }],
    ['while ALLOWED_HOSTS names reports.example.com', { ALLOWED_HOSTS: 'reports.example.com' }],
    ['TRUSTED_PROXY_HOPS is 1', { APP_BASE_URL: 'http://localhost:8787', TRUSTED_PROXY_HOPS: '1' }],
    ['TRUSTED_PROXY_HOPS is 9', { APP_BASE_URL: 'https://reports.example.com', TRUSTED_PROXY_HOPS: '9' }],
  ])('is found in addresses, with the warning "%s"', async (said, more) => {
    expect(await notOk(more)).toEqual([[expect.any(String), 'warning', expect.stringContaining(said)]]);
  });

  test('is found if the database and Redis cannot be reached, and no line contains their passwords', async () => {
    const port = await freePort();
    const more = {
      DATABASE_URL: `postgres://keeper:hunter2@127.0.0.1:${port}/svc`,
      REDIS_URL: `redis://keeper:hunter2@127.0.0.1:${port}/0`,
    };
    const { exitCode, lines } = await doctor(more);
    expect(exitCode).toBe(1);
    expect((await notOk(more)).map(([check, status]) => [check, status])).toEqual([
      ['database', 'fault'],
      ['redis', 'fault'],
    ]);
    expect(lines.join('\n')).not.toContain('hunter2');
  });
});

test('fails with exit code 2 for an invalid variable, and names the variable', async () => {
  expect(await doctor({ PORT: 'x' })).toEqual({ exitCode: 2, lines: [expect.stringContaining('PORT')] });
});

test.skipIf(postgresUrl !== undefined)('before the first start, only warns and creates nothing', async () => {
  const { exitCode, lines } = await doctor({ DATA_DIR: path.join(server.dataDir, 'new') });
  expect([exitCode, lines.filter((line) => line.startsWith('warning')).length]).toEqual([0, 5]);
  expect(filesIn(server.dataDir).some((file) => file.includes('/new/'))).toBe(false);
});
