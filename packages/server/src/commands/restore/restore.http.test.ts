/** `restore` of a backup from the kind of database that this run tests, into either kind. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConfig, type Config } from '../../config.ts';
import {
  bodyOf,
  codeOf,
  createTestDatabase,
  filesIn,
  postgresUrl,
  shareOf,
  startServer,
  syncReport,
  type DeviceActor,
  type SessionActor,
  type TestDatabase,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand, valueOfCommand } from '../../../test/run-command.ts';

let folder: string;
let backup: string;
let owner: SessionActor;
let device: DeviceActor;
let reportId: string;
let slug: string;

const environmentOf = (dataDir: string, database: Config['database']) => ({
  DATA_DIR: dataDir,
  ...(database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}),
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-restores-'));
  backup = path.join(folder, 'backup');
  const database = await createTestDatabase();
  const server = await startServer({
    generousPlans: true,
    config: { database: database.config, bucket: null },
  });
  owner = await server.signUp();
  device = await server.linkDevice(owner);
  ({ reportId } = await syncReport(device));
  slug = (await shareOf(owner, reportId)).url.split('/').at(-1) ?? '';
  const made = await runCommand(['backup', backup], environmentOf(server.dataDir, database.config));
  if (made.exitCode !== 0) throw new Error(made.lines.join('\n'));
  await server.close();
  await database.drop();
});
afterAll(() => rm(folder, { recursive: true }));

let dataDir: string;
let places = 0;
beforeEach(() => {
  places += 1;
  dataDir = path.join(folder, `place-${places}`);
});

const kinds: [string, () => Promise<TestDatabase>][] = [
  ['SQLite', () => Promise.resolve({ config: { kind: 'sqlite' }, drop: () => Promise.resolve() })],
  ...(postgresUrl === undefined
    ? []
    : [['PostgreSQL', createTestDatabase] as [string, () => Promise<TestDatabase>]]),
];

const start = (database: Config['database'], at = dataDir) =>
  startServer({ generousPlans: true, config: { dataDir: at, database, bucket: null } });
const restore = (database: Config['database'], ...words: string[]) =>
  runCommand(['restore', backup, ...words], environmentOf(dataDir, database));

async function codesIn(server: TestServer): Promise<string[]> {
  const callers = [server.withCookie(owner.cookie), server.withDeviceToken(device.deviceToken)];
  const codes = await Promise.all(callers.map(({ api }) => api.listWorkspaces()));
  return codes.map(codeOf);
}

describe.each(kinds)('into %s', (_, createDatabase) => {
  test('brings back accounts, reports and shares, and ends sessions and devices', async () => {
    const { config: database, drop } = await createDatabase();
    const { exitCode, lines } = await restore(database);
    expect([exitCode, lines]).toEqual([
      0,
      [
        expect.stringMatching(/^Restored into .+\. Start the service with the same settings\.$/),
        expect.stringMatching(/^All sessions have ended and all devices are revoked/),
        expect.stringMatching(
          /^Shares, invitations and memberships that were revoked after the backup work again/,
        ),
        expect.stringMatching(/^The audit log ends with \d+:[0-9a-f]{64}$/),
      ],
    ]);
    {
      await using server = await start(database);
      expect(await codesIn(server)).toEqual(['UNAUTHENTICATED', 'DEVICE_REVOKED']);
      const session = server.withCookie(await server.logIn(owner));
      expect(bodyOf(await session.api.getReport({ params: { id: reportId } })).report).not.toBeNull();
      expect((await fetch(`${server.url}/api/v1/shares/slug/${slug}/report`)).status).toBe(200);
      await syncReport(await server.linkDevice({ ...owner, ...session }));
    }
    const end = /\d+:[0-9a-f]{64}/.exec(lines.at(-1) ?? '')?.[0] ?? '';
    const verified = await runCommand(['audit', 'verify', '--expect', end], environmentOf(dataDir, database));
    expect(verified.exitCode).toBe(0);
    expect(await restore(database)).toEqual({
      exitCode: 0,
      lines: ['This backup was already restored here.'],
    });
    await drop();
  });

  test('keeps sessions and devices with --keep-sessions', async () => {
    const { config: database, drop } = await createDatabase();
    expect((await restore(database, '--keep-sessions')).exitCode).toBe(0);
    {
      await using server = await start(database);
      expect(await codesIn(server)).toEqual(['ok', 'ok']);
    }
    await drop();
  });

  test('continues after an interruption, and until then no service starts', async () => {
    const { config: database, drop } = await createDatabase();
    const gone = path.join(folder, `gone-${places}`);
    await cp(backup, gone, { recursive: true });
    const [body = ''] = filesIn(path.join(gone, 'blobs'));
    // A file in the place of a folder stops the copy.
    const inTheWay = path.join(dataDir, path.dirname(path.relative(gone, body)));
    await mkdir(path.dirname(inTheWay), { recursive: true });
    await writeFile(inTheWay, '');
    const interrupted = await runCommand(['restore', gone], environmentOf(dataDir, database));
    expect([interrupted.exitCode, interrupted.lines]).toEqual([
      2,
      [expect.stringMatching(/^The restore is not complete/)],
    ]);
    const rejected = await start(database).then(
      () => [],
      (error: unknown) => (error as { lines?: readonly string[] }).lines,
    );
    expect(rejected).toEqual([expect.stringMatching(/has not finished/)]);
    await rm(inTheWay);
    expect(await runCommand(['restore', gone], environmentOf(dataDir, database))).toMatchObject({
      exitCode: 0,
    });
    {
      await using server = await start(database);
      const session = server.withCookie(await server.logIn(owner));
      expect(bodyOf(await session.api.getReport({ params: { id: reportId } })).report).not.toBeNull();
    }
    await drop();
  });

  test('does not continue what another build began', async () => {
    const { config: database, drop } = await createDatabase();
    await mkdir(dataDir);
    const begun = path.join(dataDir, 'svc.db.restoring');
    await cp(path.join(backup, 'svc.db'), begun);
    const other = new DatabaseSync(begun);
    other.exec("update kysely_migration set name = '0001-schema@0123456789ab'");
    other.close();
    expect(await restore(database)).toEqual({
      exitCode: 2,
      lines: [expect.stringMatching(/svc\.db\.restoring was created by another build of svc\. [^\n]+$/)],
    });
    await drop();
  });

  test('rejects a place that is in use, and changes nothing there', async () => {
    const { config: database, drop } = await createDatabase();
    await (await start(database)).close();
    expect(await restore(database)).toEqual({
      exitCode: 2,
      lines: [
        expect.stringMatching(/already has a database|is not empty|is not the master key of the backup/),
      ],
    });
    await (await start(database)).close();
    await drop();
  });
});

describe('a backup that is restored', () => {
  test('is checked first, and is restored despite faults only with --even-with-faults', async () => {
    const damaged = path.join(folder, 'damaged');
    await cp(backup, damaged, { recursive: true });
    const [body = ''] = filesIn(path.join(damaged, 'blobs'));
    const bytes = await readFile(body);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    await writeFile(body, bytes);
    const environment = { DATA_DIR: dataDir };
    const rejected = await runCommand(['restore', damaged], environment);
    expect([rejected.exitCode, rejected.lines.at(-1)]).toEqual([
      1,
      'Nothing was restored. Use --even-with-faults to restore it anyway.',
    ]);
    await expect(readdir(dataDir)).rejects.toThrow(/ENOENT/);
    const value = await valueOfCommand(['restore', damaged, '--even-with-faults'], environment);
    expect(value).toMatchObject({ exitCode: 1, isRestored: true });
  });

  test('with its key in SVC_MASTER_KEY needs that key', async () => {
    const keyless = path.join(folder, 'keyless');
    await cp(backup, keyless, { recursive: true });
    const key = (await readFile(path.join(keyless, 'master.key'), 'utf8')).trim();
    await rm(path.join(keyless, 'master.key'));
    const run = (SVC_MASTER_KEY?: string) =>
      runCommand(['restore', keyless], { DATA_DIR: dataDir, SVC_MASTER_KEY });
    expect(await run()).toMatchObject({
      exitCode: 2,
      lines: [expect.stringMatching(/contains no master key/)],
    });
    expect(await run(key)).toMatchObject({ exitCode: 0 });
    expect(await readdir(dataDir)).not.toContain('master.key');
  });

  test('can still be used as a data folder', async () => {
    const copy = path.join(folder, 'copy');
    await cp(backup, copy, { recursive: true });
    await using server = await start(readConfig({}).database, copy);
    expect(await codesIn(server)).toEqual(['ok', 'ok']);
  });
});
