/** `backup` and `backup verify`: what a backup holds and what it does not, and that no damage of one goes unseen. */
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  bodyOf,
  createFakeClock,
  postgresUrl,
  shareOf,
  startServer,
  syncReport,
  type DeviceActor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runBackupCommand } from './backup-command.ts';

const KEY = Buffer.alloc(32, 7);
let server: TestServer;
let owner: SessionActor;
let device: DeviceActor;
let folder: string;
let place: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-backups-'));
  server = await startServer({ clock: createFakeClock(), generousPlans: true });
  owner = await server.signUp();
  device = await server.linkDevice(owner);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});
let places = 0;
beforeEach(() => {
  places += 1;
  place = path.join(folder, `backup-${places}`);
});

const run = (given: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runBackupCommand(['backup', ...given], { DATA_DIR: server.dataDir, ...environment });
const deleted = async (reportId: string) =>
  void bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));

async function filesIn(at: string): Promise<string[]> {
  const entries = await readdir(at, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(at, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

describe('over PostgreSQL', () => {
  test('a backup is refused, with what is to be done instead and in which order', async () => {
    const { exitCode, lines } = await run([place], { DATABASE_URL: 'postgres://svc@localhost/svc' });
    expect([exitCode, lines.length]).toEqual([2, 4]);
    expect(lines[1]).toContain('pg_dump');
    expect(lines[2]).toContain(path.join(server.dataDir, 'blobs'));
    expect(lines[3]).toContain('master.key');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe.skipIf(postgresUrl !== undefined)('a backup', () => {
  test('holds what is prepared for shares, and is whole without it', async () => {
    const { reportId } = await syncReport(device);
    await shareOf(owner, reportId, { defaultPolicy: { version: 1 } });
    const { read } = server.service.database;
    const { blobName } = await read
      .selectFrom('preparedProjections')
      .select('blobName')
      .where('reportId', '=', reportId)
      .executeTakeFirstOrThrow();
    expect((await run([place])).exitCode).toBe(0);
    const file = (await filesIn(place)).find((each) => each.endsWith(`/${blobName}`));
    expect(file).toBeDefined();
    await rm(path.join(place, file ?? ''));
    expect((await run(['verify', place])).exitCode).toBe(0);
    await deleted(reportId);
  });

  test('is a data folder for its owner alone, and nothing is left beside it', async () => {
    const { reportId } = await syncReport(device);
    const { exitCode, lines } = await run([place]);
    expect(exitCode).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(
        /^The backup .* is whole: the database \(\d+ KiB\), 1 report text \(\d+ KiB\) and the master key\.$/,
      ),
      'Whoever has it can read every report in it.',
      expect.stringMatching(/^Its audit log ends with \d+:[0-9a-f]{64}$/),
    ]);
    const files = await filesIn(place);
    expect(files.map((file) => file.replace(/[0-9a-f]{32}/, '*').replace(/\/../, '/..'))).toEqual([
      'blobs/../*',
      'master.key',
      'svc.db',
    ]);
    const modes = await Promise.all(
      ['.', 'blobs', ...files].map(async (name) => (await stat(path.join(place, name))).mode & 0o077),
    );
    expect(new Set(modes)).toEqual(new Set([0]));
    expect((await readdir(folder)).filter((name) => name.includes('.new'))).toEqual([]);
    expect(await run(['verify', place])).toEqual({ exitCode, lines });
    expect(await filesIn(place)).toEqual(files);
    await deleted(reportId);
  });

  test('[T24] holds neither text nor key of a report that was deleted before, swept or not', async () => {
    const { reportId } = await syncReport(device);
    const row = await server.service.database.read
      .selectFrom('reports')
      .select('wrappedKey')
      .where('id', '=', reportId)
      .executeTakeFirstOrThrow();
    const key = Buffer.from(row.wrappedKey ?? []);
    const holding = async (at: string) => {
      const files = await filesIn(at);
      const contents = await Promise.all(files.map((file) => readFile(path.join(at, file))));
      return contents.filter((bytes) => bytes.includes(key)).length;
    };
    expect((await run([place])).exitCode).toBe(0);
    expect([key.length > 32, await holding(place)]).toEqual([true, 1]);
    await deleted(reportId);
    expect((await run([`${place}-after`])).lines[0]).toContain('0 report texts');
    expect(await holding(`${place}-after`)).toBe(0);
  });

  test('that reports are deleted under is whole all the same', async () => {
    const made = await Promise.all(Array.from({ length: 40 }, () => syncReport(device)));
    const [backup] = await Promise.all([run([place]), ...made.map(({ reportId }) => deleted(reportId))]);
    expect(backup.exitCode).toBe(0);
    expect(await run(['verify', place])).toEqual(backup);
  });

  test('of a service that does not run leaves that folder as it was', async () => {
    const other = await startServer({ clock: createFakeClock() });
    await syncReport(await other.linkDevice(await other.signUp()));
    const stopped = path.join(folder, 'stopped');
    await other.service.close(0);
    await cp(other.dataDir, stopped, { recursive: true });
    await other.close();
    const files = await filesIn(stopped);
    expect((await run([place], { DATA_DIR: stopped })).exitCode).toBe(0);
    expect(await filesIn(stopped)).toEqual(files);
  });

  test('holds no key that is in SVC_MASTER_KEY, and can be checked with that key alone', async () => {
    const other = await startServer({ config: { masterKey: KEY } });
    const { dataDir } = other;
    await syncReport(await other.linkDevice(await other.signUp()));
    const given = { DATA_DIR: dataDir, SVC_MASTER_KEY: KEY.toString('base64') };
    const made = await run([place], given);
    await other.close();
    expect([made.exitCode, made.lines[1]]).toEqual([
      0,
      expect.stringContaining('The master key is not in it'),
    ]);
    expect(await filesIn(place)).not.toContain('master.key');
    expect(await run(['verify', place], given)).toEqual(made);
    expect(await run(['verify', place])).toMatchObject({
      exitCode: 2,
      lines: [expect.stringMatching(/Set SVC_MASTER_KEY/)],
    });
    const foreign = { ...given, SVC_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') };
    expect(await run(['verify', place], foreign)).toMatchObject({
      exitCode: 2,
      lines: [expect.stringMatching(/is not the one/)],
    });
  });
});

describe.skipIf(postgresUrl !== undefined)('a damaged backup', () => {
  const REPORTS = 3;
  let whole: string;
  let names: string[];

  beforeAll(async () => {
    whole = path.join(folder, 'whole');
    for (let made = 0; made < REPORTS; made += 1) await syncReport(device);
    const { exitCode, lines } = await run([whole]);
    if (exitCode !== 0) throw new Error(lines.join('\n'));
    names = (await filesIn(whole)).filter((file) => file.startsWith('blobs'));
  });

  /** What is said of a copy of it that something was done to. */
  async function saidAfter(change: (at: string) => Promise<unknown>): Promise<string> {
    await cp(whole, place, { recursive: true });
    await change(place);
    const { exitCode, lines } = await run(['verify', place]);
    await rm(place, { recursive: true });
    return [exitCode, ...lines].join('\n');
  }

  test('is told by any one bit of any text that is another', async () => {
    const places_ = fc.record({ file: fc.nat(REPORTS - 1), at: fc.nat(), bit: fc.nat(7) });
    await fc.assert(
      fc.asyncProperty(places_, async ({ file, at, bit }) => {
        const said = await saidAfter(async (copy) => {
          const name = path.join(copy, names[file] ?? '');
          const bytes = await readFile(name);
          const index = at % bytes.length;
          bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
          await writeFile(name, bytes);
        });
        expect(said).toMatch(
          /^1\nThe backup .* has faults:\n- the text of report rep_\w+ is damaged \(\w+\)$/,
        );
      }),
      { numRuns: 25 },
    );
  });

  test.each<[string, (at: string) => Promise<unknown>, RegExp]>([
    [
      'that is missing',
      async (at) => rm(path.join(at, names[0] ?? '')),
      /^1\n.*\n- the text of report rep_\w+ is missing/,
    ],
    [
      'that was cut off',
      async (at) =>
        writeFile(
          path.join(at, names[0] ?? ''),
          (await readFile(path.join(at, names[0] ?? ''))).subarray(0, -1),
        ),
      /^1\n.*\n- the text of report rep_\w+ is damaged/,
    ],
    [
      'that stands in for another',
      async (at) => cp(path.join(at, names[0] ?? ''), path.join(at, names[1] ?? '')),
      /^1\n.*\n- the text of report rep_\w+ is damaged/,
    ],
  ])('is told by a text %s', async (_, change, said) => {
    expect(await saidAfter(change)).toMatch(said);
  });

  test('[D17] is told by an entry of its audit log that stands below the first', async () => {
    const said = await saidAfter(async (at) => {
      const database = new DatabaseSync(path.join(at, 'svc.db'));
      database.exec(`INSERT INTO audit_log (sequence, id, at, action, previous_hash, hash)
        SELECT -7, 'aud_x', at, action, previous_hash, hash FROM audit_log WHERE sequence = 1`);
      database.close();
    });
    expect(said).toMatch(
      /^1\nThe backup .* has faults:\n- the audit log was tampered with: entry -7 does not belong/,
    );
  });

  test('is told by its database, its key, and by what is not there', async () => {
    const cut = async (at: string) => {
      const file = path.join(at, 'svc.db');
      const bytes = await readFile(file);
      bytes.fill(0xff, 8192, 40_000);
      await writeFile(file, bytes);
    };
    expect(await saidAfter(cut)).toMatch(/^1\n.*\n- the database is damaged: /);
    const otherKey = (at: string) => writeFile(path.join(at, 'master.key'), KEY.toString('base64'));
    expect(await saidAfter(otherKey)).toMatch(/^2\nThe master key of .* is not the one/);
    expect(await saidAfter((at) => rm(path.join(at, 'master.key')))).toMatch(/^2\n.* holds no master key/);
    expect(await saidAfter((at) => rm(path.join(at, 'svc.db')))).toMatch(
      /^2\nThere is no file .*: this is no backup/,
    );
    expect(await saidAfter((at) => rm(path.join(at, 'blobs'), { recursive: true }))).toMatch(
      /^2\nThere is no folder .*: this is no backup/,
    );
  });

  test('of a service that has lost a text is made only when that is asked for', async () => {
    const [lost = ''] = names;
    const file = path.join(server.dataDir, lost);
    const bytes = await readFile(file);
    await rm(file);
    const refused = await run([place]);
    expect(refused).toMatchObject({
      exitCode: 1,
      lines: [
        expect.stringMatching(/^No backup was made/),
        expect.stringMatching(/is missing/),
        expect.any(String),
      ],
    });
    expect((await readdir(folder)).filter((name) => name.startsWith(path.basename(place)))).toEqual([]);
    const made = await run([place, '--even-with-faults']);
    expect([made.exitCode, made.lines[0]]).toEqual([1, `The backup ${place} has faults:`]);
    expect(await run(['verify', place])).toEqual(made);
    await writeFile(file, bytes);
  });
});

describe.skipIf(postgresUrl !== undefined)('a backup that can not be made', () => {
  test('says what would do, and leaves nothing', async () => {
    const inside = path.join(server.dataDir, 'backup');
    const cases: [string[], string][] = [
      [[], 'This is not how "backup" is called.'],
      [['verify'], 'This is not how "backup verify" is called.'],
      [['a', 'b'], 'This is not how "backup" is called.'],
      [['--fast', place], '--fast'],
      [[folder], `There is a ${folder} already`],
      [[path.join(place, 'deeper')], `There is no folder ${place}`],
      [[inside], `${inside} lies in the data folder`],
    ];
    const before = [await filesIn(folder), await filesIn(server.dataDir)];
    for (const [given, said] of cases)
      expect(await run(given)).toMatchObject({
        exitCode: 2,
        lines: expect.arrayContaining([expect.stringContaining(said)]),
      });
    const nowhere = await run([place], { DATA_DIR: place });
    expect(nowhere).toEqual({ exitCode: 2, lines: [expect.stringContaining('DATA_DIR: there is no file')] });
    expect(await run([place], { PORT: 'x' })).toMatchObject({
      exitCode: 2,
      lines: [expect.stringContaining('PORT')],
    });
    expect([await filesIn(folder), await filesIn(server.dataDir)]).toEqual(before);
  });
});
