/** Every command, and the start of the service, on the database and the backup of another build. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestStorage, startServer } from '@svc/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeDatabase } from '../../test/change-database.ts';
import { runCommand, type CommandOutcome } from '../../test/run-command.ts';
import { readConfig } from '../config.ts';
import { describedOf } from './databases.ts';
import { commands } from './index.ts';

const EMAIL = 'someone@example.test';
/** As a build records the first migration that runs other statements under the same name. */
const OTHER_BUILD = "update kysely_migration set name = '0001-schema@0123456789ab'";

let storage: Awaited<ReturnType<typeof createTestStorage>>;
let folder: string;
let backup: string;
let environment: Record<string, string>;
/** The one line about the database. */
let line: string;

beforeAll(async () => {
  storage = await createTestStorage();
  folder = await mkdtemp(path.join(tmpdir(), 'svc-other-build-'));
  backup = path.join(folder, 'backup');
  const { dataDir, database } = storage;
  const isEmbedded = database.kind === 'sqlite';
  environment = { DATA_DIR: dataDir, ...(isEmbedded ? {} : { DATABASE_URL: database.url }) };
  const server = await startServer({ config: { database, dataDir } });
  await server.signUp();
  const made = await runCommand(['backup', backup], environment);
  if (made.exitCode !== 0) throw new Error(made.lines.join('\n'));
  await server.close();
  await changeDatabase(storage, OTHER_BUILD);
  await changeDatabase({ dataDir: backup, database: { kind: 'sqlite' } }, OTHER_BUILD);
  const instead = isEmbedded
    ? 'move the data folder away to begin with an empty one'
    : 'set DATABASE_URL to an empty database';
  line = `${describedOf(readConfig(environment))} was created by another build of svc. Start that build, or ${instead}.`;
});
afterAll(async () => {
  await storage[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const contentNow = () =>
  storage.database.kind === 'sqlite' ? readFile(path.join(storage.dataDir, 'svc.db')) : null;

/** What each command is given to reach the database or the backup. */
const given: Readonly<Record<string, () => readonly string[]>> = {
  doctor: () => [],
  migrate: () => [],
  backup: () => [path.join(folder, 'another-backup')],
  'backup verify': () => [backup],
  'audit verify': () => [],
  restore: () => [backup],
  move: () => [],
  'rotate-master-key': () => [],
  'end-sessions': () => ['--email', EMAIL],
  'export-account': () => [path.join(folder, 'export'), '--email', EMAIL],
};

function expectedOf(name: string): CommandOutcome {
  if (name === 'doctor') return { exitCode: 1, lines: [`fault    database: ${line}`] };
  const ofBackup = `The backup ${backup} was created by another build of svc. Use that build to read it.`;
  return { exitCode: 2, lines: [name === 'backup verify' || name === 'restore' ? ofBackup : line] };
}

test('each command is tried', () => {
  expect(Object.keys(given)).toEqual(commands.map(({ name }) => name));
});

test.each(Object.keys(given))('[D15] %s rejects it with one line, and leaves it as it is', async (name) => {
  const before = await contentNow();
  // Without an address, `move` has nowhere to move to.
  const target = name === 'move' ? { DATABASE_URL: 'postgres://svc@127.0.0.1:1/svc' } : {};
  const words = [...name.split(' '), ...(given[name]?.() ?? [])];
  const { exitCode, lines } = await runCommand(words, { ...target, ...environment });
  const reported = lines.filter((each) => name !== 'doctor' || each.startsWith('fault'));
  expect({ exitCode, lines: reported }).toEqual(expectedOf(name));
  expect(await contentNow()).toEqual(before);
});

test('[D17] audit verify rejects a copy of it with one line', async () => {
  const file = path.join(backup, 'svc.db');
  expect(await runCommand(['audit', 'verify', '--file', file], environment)).toEqual({
    exitCode: 2,
    lines: [`The file ${file} was created by another build of svc. Use that build to read it.`],
  });
});

test('[D15] the service does not start on it, and says the same', async () => {
  const { dataDir, database } = storage;
  const rejected = await startServer({ config: { database, dataDir } }).then(
    (server) => server.close(),
    (error: unknown) => (error as { lines?: readonly string[] }).lines,
  );
  expect(rejected).toEqual([line]);
});
