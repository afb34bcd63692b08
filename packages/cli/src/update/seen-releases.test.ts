import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { alone, remember, seenOf } from './seen-releases.ts';

const accept = () => undefined;

let folder: string;
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'svc-memory-')), 'data');
});
afterEach(() => rm(path.dirname(folder), { recursive: true }));

describe('the record of seen releases', () => {
  test('[D14] is empty at first, and reading creates no file', async () => {
    expect(await seenOf(folder, 'stable')).toBeNull();
    expect(await readdir(path.dirname(folder))).toEqual([]);
  });

  test('[D14] contains the highest version and the latest time, each separately, for each channel', async () => {
    await remember(folder, 'stable', { version: '1.9.0', releasedAtMs: 100 }, accept);
    await remember(folder, 'stable', { version: '1.10.0', releasedAtMs: 50 }, accept);
    await remember(folder, 'stable', { version: '1.9.5', releasedAtMs: 70 }, accept);
    await remember(folder, 'beta', { version: '2.0.0-beta.1', releasedAtMs: 900 }, accept);
    expect(await seenOf(folder, 'stable')).toEqual({ version: '1.10.0', releasedAtMs: 100 });
    expect(await seenOf(folder, 'beta')).toEqual({ version: '2.0.0-beta.1', releasedAtMs: 900 });
    expect(await readdir(folder)).toEqual(['releases.sqlite']);
    expect((await stat(path.join(folder, 'releases.sqlite'))).mode & 0o777).toBe(0o600);
  });

  test('[D14] is read again before it is written, and a rejection then writes nothing', async () => {
    await remember(folder, 'stable', { version: '1.0.0', releasedAtMs: 1 }, accept);
    const reject = (seen: unknown) => {
      throw new Error(JSON.stringify(seen));
    };
    await expect(remember(folder, 'stable', { version: '2.0.0', releasedAtMs: 2 }, reject)).rejects.toThrow(
      '{"version":"1.0.0","releasedAtMs":1}',
    );
    expect(await seenOf(folder, 'stable')).toEqual({ version: '1.0.0', releasedAtMs: 1 });
  });

  test('[D14] never goes back when several processes write simultaneously', async () => {
    const all = Array.from({ length: 12 }, (_, index) => ({
      version: `1.${(index * 7) % 12}.0`,
      releasedAtMs: (index * 11) % 12,
    }));
    await Promise.all(all.map((release) => remember(folder, 'stable', release, accept)));
    expect(await seenOf(folder, 'stable')).toEqual({ version: '1.11.0', releasedAtMs: 11 });
  });

  test('[D14] can be read while another process has the lock, and is written when the lock is free', async () => {
    await remember(folder, 'stable', { version: '1.0.0', releasedAtMs: 1 }, accept);
    const order: string[] = [];
    let later: Promise<void> | undefined;
    await alone(folder, 'stable', async (seen) => {
      expect(seen).toEqual({ version: '1.0.0', releasedAtMs: 1 });
      later = remember(
        folder,
        'stable',
        { version: '1.1.0', releasedAtMs: 2 },
        () => void order.push('remembered'),
      );
      expect(await seenOf(folder, 'stable')).toEqual({ version: '1.0.0', releasedAtMs: 1 });
      order.push('alone');
    });
    await later;
    expect(order).toEqual(['alone', 'remembered']);
    expect(await seenOf(folder, 'stable')).toEqual({ version: '1.1.0', releasedAtMs: 2 });
  });

  test('[D14] waits for the lock, but not forever', async () => {
    await alone(folder, 'stable', async () => {
      const waiting = alone(folder, 'stable', async () => 'alone too', 2);
      await expect(waiting).rejects.toMatchObject({ code: 'UPDATE_BUSY', reason: 'failed' });
    });
    expect(await alone(folder, 'stable', async () => 'alone')).toBe('alone');
  });

  test('[D14] with an invalid version rejects updates', async () => {
    await remember(folder, 'stable', { version: 'none', releasedAtMs: 1 }, accept);
    await expect(seenOf(folder, 'stable')).rejects.toMatchObject({ code: 'UPDATE_MEMORY' });
  });

  test.each([
    ['another build of svc', "UPDATE schema_digest SET sha256 = 'other'"],
    ['a newer version of svc', 'PRAGMA user_version = 2'],
  ])('[D14] that was written by %s rejects updates and stays unchanged', async (writer, change) => {
    await remember(folder, 'stable', { version: '1.0.0', releasedAtMs: 1 }, accept);
    const file = path.join(folder, 'releases.sqlite');
    const database = new DatabaseSync(file);
    database.exec(change);
    database.close();
    const before = await readFile(file);
    const rejection = {
      code: 'UPDATE_MEMORY',
      message: expect.stringContaining(
        `The record of seen releases ${file} was written by ${writer}.`,
      ) as string,
    };
    await expect(seenOf(folder, 'stable')).rejects.toMatchObject(rejection);
    const next = { version: '2.0.0', releasedAtMs: 2 };
    await expect(remember(folder, 'stable', next, accept)).rejects.toMatchObject(rejection);
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  test('[D14] that cannot be read rejects updates and stays unchanged', async () => {
    await remember(folder, 'stable', { version: '1.0.0', releasedAtMs: 1 }, accept);
    const file = path.join(folder, 'releases.sqlite');
    await writeFile(file, 'not a database, and long enough to be looked at as one '.repeat(100));
    const { size } = await stat(file);
    await expect(seenOf(folder, 'stable')).rejects.toMatchObject({ code: 'UPDATE_MEMORY' });
    await expect(
      remember(folder, 'stable', { version: '2.0.0', releasedAtMs: 2 }, accept),
    ).rejects.toMatchObject({ code: 'UPDATE_MEMORY' });
    expect((await stat(file)).size).toBe(size);
  });
});
