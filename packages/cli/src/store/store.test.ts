import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { newReport, TemporaryFolder } from '../../test/local-reports.ts';
import { createReport, deleteReport, findReport, listReports } from './reports.ts';
import { openStore, STORE_FILE_NAME } from './store.ts';

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('the file of the store', () => {
  test('is accessible to its owner only, like the files beside it and its folder', async () => {
    using folder = new TemporaryFolder();
    const data = path.join(folder.path, 'deep', 'data');
    using store = await openStore(data);
    createReport(store, newReport());
    expect(modeOf(data)).toBe(0o700);
    const files = ['', '-wal', '-shm'].map((end) => modeOf(`${path.join(data, STORE_FILE_NAME)}${end}`));
    expect(files).toEqual([0o600, 0o600, 0o600]);
  });

  test('that others could read is made private', async () => {
    using folder = new TemporaryFolder();
    const file = path.join(folder.path, STORE_FILE_NAME);
    writeFileSync(file, '', { mode: 0o644 });
    using _store = await openStore(folder.path);
    expect(modeOf(file)).toBe(0o600);
  });

  test('can be opened by many processes simultaneously when it is new', async () => {
    using folder = new TemporaryFolder();
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(folder.path)));
    for (const [index, store] of stores.entries())
      createReport(store, newReport({ localReportId: `local-report-${index}` }));
    expect(listReports(stores[0]!)).toHaveLength(8);
    for (const store of stores) store.close();
  });

  test('of a newer version is rejected and unchanged', async () => {
    using folder = new TemporaryFolder();
    (await openStore(folder.path)).close();
    const file = path.join(folder.path, STORE_FILE_NAME);
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    const before = readFileSync(file);
    await expect(openStore(folder.path)).rejects.toMatchObject({
      reason: 'failed',
      message: `The local store ${file} was written by a newer version of svc.`,
      hint: expect.stringContaining('Update svc'),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test.each([
    ['with the digest of other tables', "UPDATE schema_digest SET sha256 = 'other'"],
    ['without a digest of its tables', 'DROP TABLE schema_digest'],
    ['with another table for the digest', 'ALTER TABLE schema_digest ADD COLUMN at TEXT'],
    ['of a lower version', 'PRAGMA user_version = 0'],
  ])('of another build, %s, is rejected and unchanged', async (_name, change) => {
    using folder = new TemporaryFolder();
    const store = await openStore(folder.path);
    createReport(store, newReport());
    store.close();
    const file = path.join(folder.path, STORE_FILE_NAME);
    const database = new DatabaseSync(file);
    database.exec(change);
    database.close();
    const before = readFileSync(file);
    await expect(openStore(folder.path)).rejects.toMatchObject({
      reason: 'failed',
      message: `The local store ${file} was written by another build of svc. Move it away or delete it, then run the command again.`,
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    renameSync(file, `${file}.moved`);
    using again = await openStore(folder.path);
    expect(listReports(again)).toEqual([]);
  });

  test('of another program is rejected and unchanged', async () => {
    using folder = new TemporaryFolder();
    const file = path.join(folder.path, STORE_FILE_NAME);
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE theirs (a)');
    database.close();
    const before = readFileSync(file);
    await expect(openStore(folder.path)).rejects.toThrow('is a database of another program');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('that is not a database is reported as damaged, with what to do', async () => {
    using folder = new TemporaryFolder();
    writeFileSync(path.join(folder.path, STORE_FILE_NAME), 'x'.repeat(8192));
    await expect(openStore(folder.path)).rejects.toMatchObject({
      message: expect.stringMatching(/is damaged\.$/),
      hint: expect.stringContaining('Restore it from a backup'),
    });
  });

  test('with overwritten pages is reported as damaged when they are read', async () => {
    using folder = new TemporaryFolder();
    const file = path.join(folder.path, STORE_FILE_NAME);
    const first = await openStore(folder.path);
    for (let index = 0; index < 200; index += 1)
      createReport(first, newReport({ localReportId: `local-report-${index}` }));
    first.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xa5, 4096));
    await expect(openStore(folder.path).then((store) => listReports(store))).rejects.toThrow('is damaged.');
  });

  test('that cannot be created is reported in a sentence', async () => {
    using folder = new TemporaryFolder();
    mkdirSync(path.join(folder.path, STORE_FILE_NAME));
    await expect(openStore(folder.path)).rejects.toThrow('cannot be opened');
  });

  test('contains nothing of a deleted report', async () => {
    using folder = new TemporaryFolder();
    using store = await openStore(folder.path);
    createReport(store, newReport({ projectName: 'canary-of-the-deleted' }));
    expect(deleteReport(store, 'local-report-1')).toBe(true);
    expect(findReport(store, 'local-report-1')).toBeUndefined();
    const file = path.join(folder.path, STORE_FILE_NAME);
    const bytes = Buffer.concat([file, `${file}-wal`].map((one) => readFileSync(one)));
    expect(bytes.includes('canary-of-the-deleted')).toBe(false);
  });

  test('is opened without a warning', () => {
    using folder = new TemporaryFolder();
    const script = `
      const { openStore } = await import(${JSON.stringify(path.join(import.meta.dirname, 'store.ts'))});
      (await openStore(${JSON.stringify(folder.path)})).close();
      process.emitWarning('another one');`;
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stderr).toContain('another one');
    expect(stderr).not.toContain('Experimental');
  });
});

describe('a transaction', () => {
  test('that throws changes nothing, and neither do the transactions nested in it', async () => {
    using folder = new TemporaryFolder();
    using store = await openStore(folder.path);
    const failing = () =>
      store.write(() => {
        createReport(store, newReport());
        store.write(() => createReport(store, newReport({ localReportId: 'local-report-2' })));
        throw new Error('on purpose');
      });
    expect(failing).toThrow('on purpose');
    expect(listReports(store)).toEqual([]);
    expect(store.write(() => createReport(store, newReport())).state).toBe('scanning');
  });
});
