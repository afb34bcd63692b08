/** `audit verify` over an intact log, and over logs that someone with write access to the database has tampered with. */
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFakeClock, createTestDatabase, postgresUrl, startServer } from '@svc/testkit';
import type { TestDatabase, TestServer } from '@svc/testkit';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../../test/run-command.ts';

const ENTRIES = 6;
let place: TestDatabase;
let server: TestServer;

beforeEach(async () => {
  place = await createTestDatabase();
  server = await startServer({ clock: createFakeClock(), config: { database: place.config } });
  // Each sign-up adds an entry about its workspace.
  for (let made = 0; made < ENTRIES; made += 1) await server.signUp();
});
afterEach(async () => {
  await server.close();
  await place.drop();
});

const environment = () => ({
  DATA_DIR: server.dataDir,
  ...(place.config.kind === 'postgres' ? { DATABASE_URL: place.config.url } : {}),
});

const verify = (...more: string[]) => runCommand(['audit', 'verify', ...more], environment());

/** The end of the log, as the command prints it. */
async function endOfLog(): Promise<string> {
  const { lines } = await verify();
  return lines[1]?.replace('It ends with ', '') ?? '';
}

/** Changes the log as the owner of the database can, without the triggers. */
async function tamper(...statements: string[]): Promise<void> {
  if (place.config.kind === 'postgres') {
    const client = new pg.Client({ connectionString: place.config.url });
    await client.connect();
    await client.query('ALTER TABLE audit_log DISABLE TRIGGER USER');
    for (const statement of statements) await client.query(statement);
    await client.end();
    return;
  }
  const connection = new DatabaseSync(join(server.dataDir, 'svc.db'));
  for (const change of ['update', 'delete'])
    connection.exec(`DROP TRIGGER IF EXISTS audit_log_refuses_${change}`);
  for (const statement of statements) connection.exec(statement);
  connection.close();
}

const COLUMNS = 'id, at, action, actor_id, workspace_id, report_id, subject_id, detail, previous_hash, hash';
/** Inserts a copy of entry 3 at another position, which the triggers allow. */
const putIn = (sequence: string) =>
  `INSERT INTO audit_log (sequence, ${COLUMNS}) SELECT ${sequence}, 'aud_x${sequence}', ${COLUMNS.slice(4)} FROM audit_log WHERE sequence = 3`;
const shifted = (from: number, by: number) => [
  `UPDATE audit_log SET sequence = -sequence WHERE sequence >= ${from}`,
  `UPDATE audit_log SET sequence = -sequence + ${by} WHERE sequence < 0`,
];

describe('audit verify', () => {
  test('[D17] finds an intact log intact while the service runs, and prints its end', async () => {
    const hash = /^It ends with 6:[0-9a-f]{64}$/;
    expect(await verify()).toEqual({
      exitCode: 0,
      lines: ['The audit log is intact: 6 entries.', expect.stringMatching(hash)],
    });
    await server.signUp();
    expect((await verify()).lines[0]).toBe('The audit log is intact: 7 entries.');
  });

  test('[D17] compares the log with an end that was noted earlier', async () => {
    const noted = await endOfLog();
    await server.signUp();
    expect(await verify('--expect', noted)).toMatchObject({ exitCode: 0 });
    expect(
      await verify(
        '--expect',
        noted.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      ),
    ).toEqual({
      exitCode: 1,
      lines: [expect.stringContaining('entry 6 is not the one that was noted')],
    });
  });

  test.each([
    ['changed', [`UPDATE audit_log SET actor_id = 'usr_x' WHERE sequence = 3`], 'entry 3 was changed'],
    ['given another time', ['UPDATE audit_log SET at = at + 1 WHERE sequence = 6'], 'entry 6 was changed'],
    ['removed', ['DELETE FROM audit_log WHERE sequence = 4'], 'entry 4 is missing'],
    ['removed at the beginning', ['DELETE FROM audit_log WHERE sequence < 3'], 'entries 1 to 2 are missing'],
    [
      'removed, with the remaining entries renumbered',
      ['DELETE FROM audit_log WHERE sequence = 4', ...shifted(5, -1)],
      'entry 4 is not the one that was written after entry 3',
    ],
    ['inserted', [...shifted(4, 1), putIn('4')], 'entry 4 is not the one that was written after entry 3'],
    [
      'reordered',
      [
        'UPDATE audit_log SET sequence = -2 WHERE sequence = 2',
        'UPDATE audit_log SET sequence = 2 WHERE sequence = 5',
        'UPDATE audit_log SET sequence = 5 WHERE sequence = -2',
      ],
      'entry 2 is not the one that was written after entry 1',
    ],
    ['inserted at 0', [putIn('0')], 'entry 0 does not belong there'],
    ['inserted below all others', [putIn('-4'), putIn('-5')], 'entry -5 does not belong there'],
    [
      'inserted at a number too large for JavaScript',
      [putIn('9223372036854775807')],
      'entry 9223372036854775807 does not belong there',
    ],
    [
      'given a time too large for JavaScript',
      ['UPDATE audit_log SET at = 9007199254740993 WHERE sequence = 3'],
      'entry 3 was changed',
    ],
    [
      'given text as its hash',
      [`UPDATE audit_log SET hash = 'none' WHERE sequence = 3`],
      'entry 3 was changed',
    ],
    [
      'given text as its previous hash',
      [`UPDATE audit_log SET previous_hash = 'none' WHERE sequence = 3`],
      'entry 3 is not the one that was written after entry 2',
    ],
  ])('[D17] names the first wrong entry when an entry was %s', async (_title, statements, fault) => {
    await tamper(...statements);
    const { exitCode, lines } = await verify();
    expect([exitCode, lines[0]]).toEqual([1, expect.stringContaining(`tampered with: ${fault}`)]);
  });

  test('[D17] does not call a log empty when its only entry does not belong there', async () => {
    await tamper(putIn('-1'), 'DELETE FROM audit_log WHERE sequence > 0');
    expect(await verify()).toEqual({
      exitCode: 1,
      lines: [
        'The audit log was tampered with: entry -1 does not belong there: a log begins with entry 1 and is numbered without gaps.',
      ],
    });
  });

  test('[D17] detects a truncated log only if its end was noted earlier', async () => {
    const noted = await endOfLog();
    await tamper('DELETE FROM audit_log WHERE sequence > 4');
    expect(await verify()).toMatchObject({ exitCode: 0 });
    expect(await verify('--expect', noted)).toEqual({
      exitCode: 1,
      lines: [
        'The audit log was tampered with: entry 5 is missing: the log ends at 4, and reached 6 when its end was noted.',
      ],
    });
    await tamper('DELETE FROM audit_log');
    expect(await verify()).toEqual({ exitCode: 0, lines: ['The audit log is empty.'] });
    expect(await verify('--expect', noted)).toMatchObject({ exitCode: 1 });
  });

  test.each([
    [[], 'There is no command ""'],
    [['audits'], 'There is no command "audits"'],
    [['audit'], 'Wrong arguments for "audit".'],
    [['audit', 'verify', 'svc.db'], 'Wrong arguments for "audit verify".'],
    [['audit', 'verify', '--expect', 'abc'], '--expect must be'],
    [['audit', 'verify', '--file', '/nowhere/svc.db'], '--file: there is no file /nowhere/svc.db'],
    [['audit', 'verify', '--what'], '--what'],
  ])('[D17] prints what is wrong when called with %j', async (given, said) => {
    const { exitCode, lines } = await runCommand(given, environment());
    expect([exitCode, lines[0]]).toEqual([2, expect.stringContaining(said)]);
  });

  test('[D15] prints why a database cannot be reached, but not the password of its address', async () => {
    const DATABASE_URL = 'postgres://keeper:hunter2@127.0.0.1:1/svc?application_name=hunter2#hunter2';
    const { exitCode, lines } = await runCommand(['audit', 'verify'], { DATABASE_URL });
    expect([exitCode, lines]).toEqual([
      2,
      ['The audit log cannot be read (nothing listens there, ECONNREFUSED).'],
    ]);
    const unread = { DATABASE_URL: 'postgres://keeper@127.0.0.1:1/svc?sslcert=/nowhere/hunter2' };
    expect((await runCommand(['audit', 'verify'], unread)).lines).toEqual([
      'The audit log cannot be read (ENOENT).',
    ]);
  });

  test('[D17] a program cannot change or delete entries through the query builder', async () => {
    const db = server.service.database.read;
    const rejected = /only added to/;
    await expect(db.updateTable('auditLog').set({ detail: 'x' }).execute()).rejects.toThrow(rejected);
    await expect(db.deleteFrom('auditLog').execute()).rejects.toThrow(rejected);
    expect(await verify()).toMatchObject({ exitCode: 0 });
  });
});

describe.skipIf(postgresUrl !== undefined)('a file whose columns hold values of any type', () => {
  test.each(['hash', 'previous_hash', 'at'])('[D17] names the entry with a strange %s', async (column) => {
    for (const value of ['9007199254740993', '-9007199254740993', '1.5', '7', `'none'`, `x'00'`, `x''`]) {
      const file = join(server.dataDir, 'svc.db');
      const copy = `${file}-tampered`;
      await server.service.database.scrub();
      await copyFile(file, copy);
      const connection = new DatabaseSync(copy);
      connection.exec(`DROP TRIGGER audit_log_refuses_update;
        UPDATE audit_log SET ${column} = ${value} WHERE sequence = 3`);
      connection.close();
      const { exitCode, lines } = await verify('--file', copy);
      expect([exitCode, lines[0]]).toEqual([1, expect.stringContaining('tampered with: entry 3 ')]);
    }
  });
});

describe.skipIf(postgresUrl !== undefined)('a copy of the file', () => {
  test('[D17] is checked in place, and no file is left beside it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-audit-'));
    try {
      const file = join(folder, 'copy.db');
      await server.service.database.scrub();
      await copyFile(join(server.dataDir, 'svc.db'), file);
      const ofCopy = await runCommand(['audit', 'verify', '--file', file], {});
      expect(ofCopy).toEqual(await verify());
      expect(await readdir(folder)).toEqual(['copy.db']);
      const other = join(folder, 'other.txt');
      await writeFile(other, 'this is no database, however long it is'.repeat(50));
      expect(await runCommand(['audit', 'verify', '--file', other], {})).toMatchObject({ exitCode: 2 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
