/**
 * `restore` killed at many points, into both kinds of deployment. Until it has finished, no service starts on a part of
 * the data. The next run finishes, and then everything of the backup is there.
 */
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copySqlite } from '#platform/database/sqlite-copy';
import {
  bodyOf,
  codeOf,
  filesIn,
  startServer,
  storeEvents,
  syncReport,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { StartError } from '#start-error';
import { cephMissing } from '@svc/testkit/ceph-server';
import { unlessShort } from '@svc/testkit/lane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDistributedServers, type DistributedServers } from '../../../test/distributed-servers.ts';
import { killPoints, runProcess, type KillTime } from '../../../test/killed-command.ts';
import { runCommand, valueOfCommand } from '../../../test/run-command.ts';
import { readConfig } from '../../config.ts';

const REPORTS = 30;
const EVENTS = unlessShort(5000, 20_000);
const KILLS = unlessShort(2, 20);
const NOT_FINISHED = /has not finished|has only a part of its data/;

type Environment = Readonly<Record<string, string>>;

let folder: string;
let backup: string;
let owner: SessionActor;
let reportIds: string[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-restore-kills-'));
  backup = path.join(folder, 'backup');
  await using server = await startServer({
    generousPlans: true,
    config: { database: { kind: 'sqlite' }, bucket: null },
  });
  owner = await server.signUp();
  const device = await server.linkDevice(owner);
  reportIds = [];
  for (let made = 0; made < REPORTS; made += 1) reportIds.push((await syncReport(device)).reportId);
  await storeEvents(server, reportIds[0] ?? '', EVENTS);
  const made = await runCommand(['backup', backup], { DATA_DIR: server.dataDir });
  if (made.exitCode !== 0) throw new Error(made.lines.join('\n'));
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

let places = 0;
const newFolder = () => path.join(folder, `place-${(places += 1)}`);

function start(environment: Environment, dataDir = environment['DATA_DIR'] ?? ''): Promise<TestServer> {
  const { database, bucket } = readConfig(environment);
  return startServer({ generousPlans: true, config: { dataDir, database, bucket } });
}

async function expectEverythingReadable(server: TestServer): Promise<void> {
  // The restore has ended all sessions.
  const before = server.withCookie(owner.cookie);
  expect(codeOf(await before.api.listWorkspaces())).toBe('UNAUTHENTICATED');
  const session = server.withCookie(await server.logIn(owner));
  for (const id of reportIds)
    expect(bodyOf(await session.api.getReport({ params: { id } })).report).not.toBeNull();
  const { count } = await server.service.database.read
    .selectFrom('progressEvents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBeGreaterThanOrEqual(EVENTS);
}

/**
 * Checks that no service starts on a part of the data. It uses a copy of the folder, so that the attempt changes
 * nothing.
 */
async function expectNothingHalf(environment: Environment): Promise<'nothing' | 'rejected' | 'whole'> {
  const { DATA_DIR = '' } = environment;
  const files = existsSync(DATA_DIR) ? await readdir(DATA_DIR) : [];
  if (files.filter((name) => name !== 'lock').length === 0) return 'nothing';
  const copy = newFolder();
  await cp(DATA_DIR, copy, { recursive: true });
  const server = await start(environment, copy).catch((error: unknown) => error);
  try {
    if (server instanceof StartError && server.lines.every((line) => NOT_FINISHED.test(line)))
      return 'rejected';
    if (server instanceof Error) throw server;
    await expectEverythingReadable(server as TestServer);
    return 'whole';
  } finally {
    if (!(server instanceof Error)) await (server as TestServer).close();
    await rm(copy, { recursive: true });
  }
}

/** Returns the state in which each killed run left its deployment. */
async function killEach(
  points: readonly ((environment: Environment) => KillTime)[],
  newEnvironment: () => Promise<Environment>,
): Promise<string[]> {
  const left: string[] = [];
  for (const [index, pointIn] of points.entries()) {
    const environment = await newEnvironment();
    const killed = await runProcess(['restore', backup], environment, pointIn(environment));
    const state = await expectNothingHalf(environment);
    if (killed.exitCode === null) left.push(state);
    const again = await runProcess(['restore', backup], environment);
    expect([index, again.exitCode, again.output]).toEqual([index, 0, expect.any(String)]);
    await using server = await start(environment);
    await expectEverythingReadable(server);
  }
  return left;
}

async function measured(environment: Environment): Promise<number> {
  const { exitCode, output, tookMs } = await runProcess(['restore', backup], environment);
  expect([exitCode, output]).toEqual([0, expect.any(String)]);
  return tookMs;
}

const isMarked = ({ DATA_DIR = '' }: Environment) =>
  existsSync(DATA_DIR) && readdirSync(DATA_DIR).some((name) => name.includes('.restoring'));
const filesOf = ({ DATA_DIR = '' }: Environment) => (existsSync(DATA_DIR) ? filesIn(DATA_DIR).length : 0);

test('[D6] a restore into a folder loses nothing, at whatever point it is killed', async () => {
  const newEnvironment = () => Promise.resolve({ DATA_DIR: newFolder() });
  const whole = await newEnvironment();
  await measured(whole);
  // Checking the backup takes most of the time and writes nothing, so kills are spread over the files that it writes.
  const step = filesOf(whole) / KILLS;
  const points = Array.from({ length: KILLS }, (_, at) => (environment: Environment) => () => {
    return filesOf(environment) >= 1 + Math.floor(at * step);
  });
  const left = await killEach(points, newEnvironment);
  expect(left.length).toBeGreaterThanOrEqual(KILLS / 2);
  expect(left).toContain('rejected');
});

describe('an unfinished restore into a folder', () => {
  test('has a mark that lets no service start', async () => {
    const environment = { DATA_DIR: newFolder() };
    await mkdir(environment.DATA_DIR, { mode: 0o700 });
    // This file is left when a restore is killed while it copies the database of the backup.
    await writeFile(path.join(environment.DATA_DIR, 'svc.db.restoring.part'), '');
    expect(await expectNothingHalf(environment)).toBe('rejected');
    expect(await runCommand(['restore', backup], environment)).toMatchObject({ exitCode: 0 });
    expect(await expectNothingHalf(environment)).toBe('whole');
  });

  test('is not continued without --keep-sessions if it began with that option', async () => {
    const environment = { DATA_DIR: newFolder() };
    // A file in the place of a folder stops the copy of the blobs.
    await mkdir(environment.DATA_DIR, { mode: 0o700 });
    await writeFile(path.join(environment.DATA_DIR, 'blobs'), '');
    const withSessions = ['restore', backup, '--keep-sessions'];
    expect(await runCommand(withSessions, environment)).toMatchObject({ exitCode: 2 });
    await rm(path.join(environment.DATA_DIR, 'blobs'));
    expect(await runCommand(['restore', backup], environment)).toEqual({
      exitCode: 2,
      lines: [expect.stringMatching(/^A restore with --keep-sessions has not finished/)],
    });
    expect(await runCommand(withSessions, environment)).toMatchObject({ exitCode: 0 });
    await using server = await start(environment);
    expect(codeOf(await server.withCookie(owner.cookie).api.listWorkspaces())).toBe('ok');
  });
});

describe.skipIf(cephMissing)('into PostgreSQL and a bucket (install radosgw, ceph-mon, ceph-osd)', () => {
  let servers: DistributedServers;
  beforeAll(async () => {
    servers = await startDistributedServers();
  }, 300_000);
  afterAll(() => servers?.remove());

  async function newEnvironment(): Promise<Environment> {
    return { DATA_DIR: newFolder(), ...(await servers.newPlaces()) };
  }

  test('[D6] loses nothing when it is killed at many points', async () => {
    const wholeMs = await measured(await newEnvironment());
    const { tookMs: loadingMs } = await runProcess(['--version'], {});
    const [, ...delays] = killPoints(wholeMs, loadingMs, KILLS);
    const points = [
      // As soon as the restore has marked the folder: how long that takes depends on the machine.
      (environment: Environment) => () => isMarked(environment),
      ...delays.map((delayMs) => () => delayMs),
    ];
    const left = await killEach(points, newEnvironment);
    expect(left.length).toBeGreaterThanOrEqual(KILLS / 2);
    expect(left).toContain('rejected');
  });

  test('finishes after a kill between its last two steps', async () => {
    const environment = await newEnvironment();
    const { DATA_DIR = '' } = environment;
    expect(await runCommand(['restore', backup], environment)).toMatchObject({ exitCode: 0 });
    // What such a kill leaves: the database is complete, and the staged one still exists.
    await copySqlite(path.join(backup, 'svc.db'), path.join(DATA_DIR, 'svc.db.restoring'));
    expect(await expectNothingHalf(environment)).toBe('rejected');
    expect(await valueOfCommand(['restore', backup], environment)).toMatchObject({
      exitCode: 0,
      wasBefore: true,
    });
    expect(await expectNothingHalf(environment)).toBe('whole');
  });
});
