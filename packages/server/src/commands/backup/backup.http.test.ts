/** `backup` and `backup verify`: what a backup contains, and that verification detects every kind of damage. */
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  bodyOf,
  createFakeClock,
  filesHolding,
  filesIn as pathsIn,
  postgresUrl,
  reportRow,
  shareOf,
  startServer,
  syncReport,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../../test/run-command.ts';

const KEY = Buffer.alloc(32, 7);
const server = sharedServer({
  clock: createFakeClock(),
  generousPlans: true,
  config: { platformAdminEmail: 'operator@example.test' },
});
let owner: SessionActor;
let device: DeviceActor;
let folder: string;
let place: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-backups-'));
  owner = await server.signUp();
  device = await server.linkDevice(owner);
});
afterAll(() => rm(folder, { recursive: true }));
let places = 0;
beforeEach(() => {
  places += 1;
  place = path.join(folder, `backup-${places}`);
});

const run = (given: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runCommand(['backup', ...given], { DATA_DIR: server.dataDir, ...environment });
const deleted = async (reportId: string) =>
  void bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));

/** Names of the files in the folder. */
const filesIn = (at: string) =>
  pathsIn(at)
    .map((file) => path.relative(at, file))
    .toSorted();

describe('over PostgreSQL', () => {
  test('prints why the database cannot be read, and leaves no files', async () => {
    const { exitCode, lines } = await run([place], { DATABASE_URL: 'postgres://svc@127.0.0.1:1/svc' });
    expect([exitCode, lines]).toEqual([2, [expect.stringMatching(/^The backup failed \(.+\)\.$/)]]);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe.skipIf(postgresUrl !== undefined)('a backup', () => {
  test('contains prepared projections, and is complete without them', async () => {
    const { reportId } = await syncReport(device);
    await shareOf(owner, reportId, { defaultPolicy: { version: 1 } });
    const { read } = server.service.database;
    const { blobName } = await read
      .selectFrom('preparedProjections')
      .select('blobName')
      .where('reportId', '=', reportId)
      .executeTakeFirstOrThrow();
    expect((await run([place])).exitCode).toBe(0);
    const file = filesIn(place).find((each) => each.endsWith(`/${blobName}`));
    expect(file).toBeDefined();
    await rm(path.join(place, file ?? ''));
    expect((await run(['verify', place])).exitCode).toBe(0);
    await deleted(reportId);
  });

  test('notes its time in the data folder, where the administrator’s page finds it', async () => {
    const note = path.join(server.dataDir, 'last-backup');
    await rm(note, { force: true });
    const before = Date.now();
    expect((await run([place])).exitCode).toBe(0);
    const noted = (await readFile(note, 'utf8')).trim();
    expect(Date.parse(noted)).toBeGreaterThanOrEqual(before);
    expect((await stat(note)).mode & 0o077).toBe(0);
    await writeFile(note, 'no time\n');
    const operator = await server.signUp({ email: 'operator@example.test' });
    const lastBackup = async () => bodyOf(await operator.api.getAdminHealth()).lastBackupAt;
    expect(await lastBackup()).toBeNull();
    await writeFile(note, `${noted}\n`);
    expect(await lastBackup()).toBe(noted);
  });

  test('is a data folder that only its owner can read, and no other file is created beside it', async () => {
    const { reportId } = await syncReport(device);
    const { exitCode, lines } = await run([place]);
    expect(exitCode).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(
        /^The backup .* is complete: the database \(\d+ KiB\), 1 report body \(\d+ KiB\) and the master key\.$/,
      ),
      'Anyone who has it can read every report in it.',
      expect.stringMatching(/^Its audit log ends with \d+:[0-9a-f]{64}$/),
    ]);
    const files = filesIn(place);
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
    expect(filesIn(place)).toEqual(files);
    await deleted(reportId);
  });

  test('[T24] contains neither body nor key of a report that was deleted earlier', async () => {
    const { reportId } = await syncReport(device);
    const key = Buffer.from((await reportRow(server, reportId)).wrappedKey ?? []);
    expect((await run([place])).exitCode).toBe(0);
    expect([key.length > 32, filesHolding(place, [key]).length]).toEqual([true, 1]);
    await deleted(reportId);
    expect((await run([`${place}-after`])).lines[0]).toContain('0 report bodies');
    expect(filesHolding(`${place}-after`, [key])).toEqual([]);
  });

  test('is complete although reports are deleted meanwhile', async () => {
    const made = await Promise.all(Array.from({ length: 40 }, () => syncReport(device)));
    const [backup] = await Promise.all([run([place]), ...made.map(({ reportId }) => deleted(reportId))]);
    expect(backup.exitCode).toBe(0);
    expect(await run(['verify', place])).toEqual(backup);
  });

  test('of a stopped service adds only its time to the data folder', async () => {
    const other = await startServer({ clock: createFakeClock() });
    await syncReport(await other.linkDevice(await other.signUp()));
    const stopped = path.join(folder, 'stopped');
    await other.service.close(0);
    await cp(other.dataDir, stopped, { recursive: true });
    await other.close();
    const files = filesIn(stopped);
    expect((await run([place], { DATA_DIR: stopped })).exitCode).toBe(0);
    expect(filesIn(stopped)).toEqual([...files, 'last-backup'].toSorted());
  });

  test('does not contain the key from SVC_MASTER_KEY, and can be verified with that key', async () => {
    const other = await startServer({ config: { masterKeys: [KEY] } });
    const { dataDir } = other;
    await syncReport(await other.linkDevice(await other.signUp()));
    const given = { DATA_DIR: dataDir, SVC_MASTER_KEY: KEY.toString('base64') };
    const made = await run([place], given);
    await other.close();
    expect([made.exitCode, made.lines[1]]).toEqual([
      0,
      expect.stringContaining('It does not contain the master key'),
    ]);
    expect(filesIn(place)).not.toContain('master.key');
    expect(await run(['verify', place], given)).toEqual(made);
    expect(await run(['verify', place])).toMatchObject({
      exitCode: 2,
      lines: [expect.stringMatching(/Set SVC_MASTER_KEY/)],
    });
    const foreign = { ...given, SVC_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') };
    expect(await run(['verify', place], foreign)).toMatchObject({
      exitCode: 2,
      lines: [expect.stringMatching(/is not the key of this deployment/)],
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
    names = filesIn(whole).filter((file) => file.startsWith('blobs'));
  });

  /** What verification reports about a copy after `change`. */
  async function saidAfter(change: (at: string) => Promise<unknown>): Promise<string> {
    await cp(whole, place, { recursive: true });
    await change(place);
    const { exitCode, lines } = await run(['verify', place]);
    await rm(place, { recursive: true });
    return [exitCode, ...lines].join('\n');
  }

  test('is detected from any single changed bit of a report body', async () => {
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
          /^1\nThe backup .* has faults:\n- the body of report rep_\w+ is damaged \(\w+\)$/,
        );
      }),
      { numRuns: 25 },
    );
  });

  const textIn = (at: string, index: number) => path.join(at, names[index] ?? '');
  const cutOff = async (file: string) => truncate(file, (await stat(file)).size - 1);

  test.each<[string, (at: string) => Promise<unknown>, RegExp]>([
    ['that is missing', (at) => rm(textIn(at, 0)), /^1\n.*\n- the body of report rep_\w+ is missing/],
    ['that was cut off', (at) => cutOff(textIn(at, 0)), /^1\n.*\n- the body of report rep_\w+ is damaged/],
    [
      'that stands in for another',
      (at) => cp(textIn(at, 0), textIn(at, 1)),
      /^1\n.*\n- the body of report rep_\w+ is damaged/,
    ],
  ])('is detected from a report body %s', async (_, change, said) => {
    expect(await saidAfter(change)).toMatch(said);
  });

  test('[D17] is detected from an audit entry numbered below the first', async () => {
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

  test('is detected from its database, its key and missing files', async () => {
    const cut = async (at: string) => {
      const file = path.join(at, 'svc.db');
      const bytes = await readFile(file);
      bytes.fill(0xff, 8192, 40_000);
      await writeFile(file, bytes);
    };
    expect(await saidAfter(cut)).toMatch(/^1\n.*\n- the database is damaged: /);
    const otherKey = (at: string) => writeFile(path.join(at, 'master.key'), KEY.toString('base64'));
    expect(await saidAfter(otherKey)).toMatch(/^2\nThe master key of .* is not the key of this deployment/);
    expect(await saidAfter((at) => rm(path.join(at, 'master.key')))).toMatch(/^2\n.* contains no master key/);
    expect(await saidAfter((at) => rm(path.join(at, 'svc.db')))).toMatch(
      /^2\nThere is no file .*, so this is not a backup/,
    );
    expect(await saidAfter((at) => rm(path.join(at, 'blobs'), { recursive: true }))).toMatch(
      /^2\nThere is no folder .*, so this is not a backup/,
    );
  });

  test('of a service that has lost a report body is created only with --even-with-faults', async () => {
    const [lost = ''] = names;
    const file = path.join(server.dataDir, lost);
    const bytes = await readFile(file);
    await rm(file);
    const rejected = await run([place]);
    expect(rejected).toMatchObject({
      exitCode: 1,
      lines: [
        expect.stringMatching(/^No backup was created/),
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

describe.skipIf(postgresUrl !== undefined)('a backup that cannot be created', () => {
  test('prints what to do, and leaves no files', async () => {
    const inside = path.join(server.dataDir, 'backup');
    const cases: [string[], string][] = [
      [[], 'Wrong arguments for "backup".'],
      [['verify'], 'Wrong arguments for "backup verify".'],
      [['a', 'b'], 'Wrong arguments for "backup".'],
      [['--fast', place], '--fast'],
      [[folder], `${folder} already exists`],
      [[path.join(place, 'deeper')], `There is no folder ${place}`],
      [[inside], `${inside} is in the data folder`],
    ];
    const before = [filesIn(folder), filesIn(server.dataDir)];
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
    expect([filesIn(folder), filesIn(server.dataDir)]).toEqual(before);
  });
});
