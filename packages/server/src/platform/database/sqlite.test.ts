/** Behaviour of SQLite only: settings of the connection, an interrupted first start, and damaged files. */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { someOf } from '@svc/testkit/lane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StartError } from '#start-error';
import type { Database } from './database.ts';
import { openSqlite } from './sqlite.ts';

const PAGE_BYTES = 4096;
let folder: string;
let databases = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sqlite-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function freshFile(): string {
  databases += 1;
  return join(folder, `${databases}.db`);
}

async function fill(database: Database, rows = 200): Promise<void> {
  await database.transaction(async (tx) => {
    for (let index = 0; index < rows; index += 1) {
      await tx
        .insertInto('deployment')
        .values({ name: `row-${index}`, value: 'x'.repeat(500) })
        .execute();
    }
  });
}

/** A database with some content that was closed properly. */
async function closedFile(): Promise<string> {
  const file = freshFile();
  const database = await openSqlite(file);
  await fill(database);
  await database.close();
  return file;
}

/** A database as a killed process leaves it: its last changes are only in the write-ahead log. */
async function crashedFile(): Promise<string> {
  const original = await closedFile();
  const database = await openSqlite(original);
  await database.transaction((tx) =>
    tx.insertInto('deployment').values({ name: 'late', value: 'in the log' }).execute(),
  );
  const file = freshFile();
  copyFileSync(original, file);
  copyFileSync(`${original}-wal`, `${file}-wal`);
  await database.close();
  return file;
}

/** Digests of the database's files, without the log's index, which is derived from the log. */
function contentOf(file: string): Record<string, string> {
  const names = [file, `${file}-wal`, `${file}-journal`].filter((name) => existsSync(name));
  return Object.fromEntries(
    names.map((name) => [name, createHash('sha256').update(readFileSync(name)).digest('hex')]),
  );
}

async function rejectionOf(file: string): Promise<StartError> {
  const rejected = await openSqlite(file).then(
    (database) => database.close().then(() => null),
    (error: unknown) => error,
  );
  expect(rejected).toBeInstanceOf(StartError);
  return rejected as StartError;
}

function flip(file: string, from: number, length: number): void {
  const bytes = readFileSync(file);
  for (let at = from; at < Math.min(from + length, bytes.length); at += 1)
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
}

const pragma = async (database: Database, name: string) =>
  Object.values(
    (await sql.raw<Record<string, unknown>>(`PRAGMA ${name}`).execute(database.read)).rows[0] ?? {},
  )[0];

describe('the connection', () => {
  test('[T24] commits are synced, deleted content is overwritten, references are enforced', async () => {
    const database = await openSqlite(freshFile());
    const settings = ['journal_mode', 'synchronous', 'secure_delete', 'foreign_keys', 'temp_store'];
    const values = await Promise.all(settings.map((name) => pragma(database, name)));
    const FULL = 2;
    const MEMORY = 2;
    expect(values).toEqual(['wal', FULL, 1, 1, MEMORY]);
    await database.close();
  });

  test('caches up to 96,000 KiB of pages', async () => {
    const database = await openSqlite(freshFile());
    expect(await pragma(database, 'cache_size')).toBe(-96_000);
    await database.close();
  });

  test('[T24] after a delete and a close, no file contains what was deleted', async () => {
    const file = freshFile();
    const database = await openSqlite(file);
    const canary = 'a canary that must not be left behind';
    await database.transaction((tx) =>
      tx.insertInto('deployment').values({ name: canary, value: canary }).execute(),
    );
    expect(readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(canary))).toBe(true);
    await database.transaction((tx) => tx.deleteFrom('deployment').where('name', '=', canary).execute());
    await database.close();
    expect(readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(canary))).toEqual(
      [],
    );
  });

  test('any number of parallel transactions run one after the other', async () => {
    const database = await openSqlite(freshFile());
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        database.transaction(async (tx) => {
          inside += 1;
          most = Math.max(most, inside);
          await tx.selectFrom('deployment').selectAll().execute();
          inside -= 1;
        }),
      ),
    );
    expect(most).toBe(1);
    await database.close();
  });

  test('[D15] a read-only database fails the check', async () => {
    const database = await openSqlite(freshFile());
    await sql`PRAGMA query_only = ON`.execute(database.read);
    await expect(database.check()).rejects.toThrow(/readonly/);
    await sql`PRAGMA query_only = OFF`.execute(database.read);
    await expect(database.check()).resolves.toBeUndefined();
    await database.close();
  });

  test('committed changes survive a kill of the process', async () => {
    const database = await openSqlite(await crashedFile());
    const late = await database.read
      .selectFrom('deployment')
      .select('value')
      .where('name', '=', 'late')
      .execute();
    expect(late).toEqual([{ value: 'in the log' }]);
    await database.close();
  });

  test('the error of a failed commit is thrown unchanged, and the next transaction succeeds', async () => {
    const file = freshFile();
    const database = await openSqlite(file);
    const pages = Number(await pragma(database, 'page_count'));
    await sql.raw(`PRAGMA max_page_count = ${pages + 2}`).execute(database.read);
    await expect(fill(database, 400)).rejects.toThrow(/full/);
    await sql.raw('PRAGMA max_page_count = 100000').execute(database.read);
    await fill(database, 400);
    await database.close();
  });
});

describe('an interrupted first start', () => {
  test('[D15] leaves no partial schema, wherever it stopped', { tags: 'repeated' }, async () => {
    const whole = await openSqlite(freshFile());
    const tables = (await whole.read.introspection.getTables({ withInternalKyselyTables: true })).map(
      ({ name }) => name,
    );
    await whole.close();
    const own = tables.filter((name) => !name.includes('kysely'));
    for (const inTheWay of someOf(own, 10)) {
      const file = freshFile();
      const blocked = new DatabaseSync(file);
      blocked.exec(`create table "${inTheWay}" (x)`);
      blocked.close();
      await rejectionOf(file);
      const unblocked = new DatabaseSync(file);
      expect(unblocked.prepare("select name from sqlite_schema where type = 'table'").all()).toEqual([
        { name: inTheWay },
      ]);
      unblocked.exec(`drop table "${inTheWay}"`);
      unblocked.close();
      await (await openSqlite(file)).close();
    }
  });
});

describe('a damaged file', () => {
  const damages: [string, (file: string) => void][] = [
    ['with its first bytes flipped', (file) => flip(file, 0, 16)],
    ['with the numbers of its header flipped', (file) => flip(file, 16, 4)],
    ['with its first page flipped beyond the header', (file) => flip(file, 100, 2000)],
    ['with a page in the middle flipped', (file) => flip(file, 20 * PAGE_BYTES, PAGE_BYTES)],
    ['with most of its pages flipped', (file) => flip(file, 2 * PAGE_BYTES, 40 * PAGE_BYTES)],
    ['that was cut to half a page', (file) => truncateSync(file, PAGE_BYTES / 2)],
    ['that was cut to some pages', (file) => truncateSync(file, 5 * PAGE_BYTES)],
    ['that was cut within a page', (file) => truncateSync(file, 5 * PAGE_BYTES + 100)],
    ['that is a text', (file) => writeFileSync(file, 'this is no database at all\n'.repeat(1000))],
    ['that is a short text', (file) => writeFileSync(file, 'no')],
    ['that is all zeros', (file) => writeFileSync(file, Buffer.alloc(8 * PAGE_BYTES))],
  ];

  describe.each([
    ['closed properly', closedFile],
    ['left by a process that was killed', crashedFile],
  ])('%s', (_, make) => {
    test.each(damages)('[T24] %s is rejected with one line, and stays unchanged', async (_name, damage) => {
      const file = await make();
      damage(file);
      const before = contentOf(file);
      const { lines } = await rejectionOf(file);
      expect(lines).toEqual([
        `The database ${file} is damaged. Nothing was changed: restore it from a backup, or move the whole folder away to begin with an empty one.`,
      ]);
      expect(contentOf(file)).toEqual(before);
      const hadLog = existsSync(`${file}-wal`);
      expect(existsSync(`${file}-shm`)).toBe(hadLog);
    });
  });

  test.each([
    [
      'a newer version',
      [
        "insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '')",
        "update deployment set value = '9999-from-the-future' where name = 'schema-compatible-from'",
      ],
    ],
    ['another build', ["update kysely_migration set name = '0001-schema@0123456789ab'"]],
  ])('[D15] a file of %s is rejected, and stays unchanged', async (by, changes) => {
    const file = await closedFile();
    const other = new DatabaseSync(file);
    for (const change of changes) other.exec(change);
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    other.close();
    const before = contentOf(file);
    expect((await rejectionOf(file)).lines).toEqual([expect.stringContaining(by)]);
    expect(contentOf(file)).toEqual(before);
  });

  test('[D15] a file of another program is rejected, and keeps its tables and rows', async () => {
    const file = freshFile();
    const other = new DatabaseSync(file);
    other.exec('create table users (something text); insert into users values (1)');
    other.close();
    const before = contentOf(file);
    const { lines } = await rejectionOf(file);
    expect(lines).toEqual([expect.stringMatching(/^The database [^\n]+ cannot be used [^\n]+$/)]);
    expect(Object.keys(contentOf(file))).toEqual(Object.keys(before));
    const left = new DatabaseSync(file, { readOnly: true });
    expect(left.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'users' }]);
    expect(left.prepare('select * from users').all()).toEqual([{ something: '1' }]);
    left.close();
  });

  test('[D15] a folder in place of the file, and a missing folder, are rejected with one line', async () => {
    for (const file of [folder, join(folder, 'missing', 'svc.db')]) {
      const { lines } = await rejectionOf(file);
      expect(lines).toEqual([expect.stringMatching(/^The database [^\n]+ cannot be opened [^\n]+$/)]);
    }
  });
});
