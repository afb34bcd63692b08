/** The suite of every blob store, on files; below it are tests for files only. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { diskImagesMissing, makeDiskImage } from '@svc/testkit/disk-image';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blobStoreSuite, listedIn, type OpenedBlobs } from '../../../test/blob-store-suite.ts';
import { systemRandom } from '../random.ts';
import { isUnavailable } from '../unavailable.ts';
import { newBlobName, type Blobs } from './blobs.ts';
import { openFilesystemBlobs } from './filesystem.ts';

async function openInFolder(): Promise<OpenedBlobs> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-blobs-'));
  return {
    blobs: openFilesystemBlobs(folder),
    timeAfter: (name) => {
      const writtenAt = (Date.now() - 2 * HOUR_MS) / 1000;
      utimesSync(join(folder, name.slice(0, 2), name), writtenAt, writtenAt);
      return Promise.resolve(Date.now() - HOUR_MS);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

const newName = () => newBlobName(systemRandom);
const HOUR_MS = 3_600_000;

describe('blobs in files', () => {
  blobStoreSuite(openInFolder);
});

describe('files of blobs', () => {
  let folder: string;
  let blobs: Blobs;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-blobs-'));
    blobs = openFilesystemBlobs(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('[D6] a blob is one file that only its owner can access', async () => {
    const name = newName();
    await blobs.put(name, [Buffer.from('text')]);
    const inFolder = join(folder, name.slice(0, 2));
    expect(readdirSync(inFolder)).toEqual([name]);
    expect(statSync(join(inFolder, name)).mode & 0o777).toBe(0o600);
  });

  test('an interrupted put leaves an orphan, which is listed once it is old', async () => {
    const name = newName();
    const file = join(folder, name.slice(0, 2), name);
    await blobs.put(name, [Buffer.from('text')]);
    truncateSync(file, 1);
    expect(await listedIn(blobs, Date.now() - HOUR_MS)).not.toContain(name);
    utimesSync(file, 0, 0);
    expect(await listedIn(blobs, Date.now() - HOUR_MS)).toContain(name);
    await blobs.delete(name);
    expect(existsSync(file)).toBe(false);
  });

  test('a put under way is never an orphan, even when the clock was set forward', async () => {
    const name = newName();
    const parts = Array.from({ length: 8 }, () => Buffer.alloc(1024 * 1024, 'a'));
    const written = blobs.put(name, parts).then(() => 'written' as const);
    let looks = 0;
    for (;;) {
      const outcome = await Promise.race([written, listedIn(blobs, Date.now() + HOUR_MS)]);
      if (outcome === 'written') break;
      expect(outcome).not.toContain(name);
      looks += 1;
    }
    expect(looks).toBeGreaterThan(0);
    expect(await listedIn(blobs, Date.now() + HOUR_MS)).toContain(name);
  });

  test('the file is there while the parts are still being made, and is never an orphan', async () => {
    const name = newName();
    const file = join(folder, name.slice(0, 2), name);
    const { promise, resolve } = Promise.withResolvers<Uint8Array[]>();
    const stored = blobs.put(name, promise);
    while (!existsSync(file)) await setImmediate();
    expect(await listedIn(blobs, Date.now() + HOUR_MS)).not.toContain(name);
    resolve([Buffer.from('text')]);
    await stored;
    expect(await listedIn(blobs, Date.now() + HOUR_MS)).toContain(name);
  });

  test('a file that cannot be created is reported once the parts are made, and after what is wrong with them', async () => {
    const lost = join(folder, 'lost');
    const inLost = openFilesystemBlobs(lost);
    await rm(lost, { recursive: true });
    const { promise, resolve } = Promise.withResolvers<Uint8Array[]>();
    const order: string[] = [];
    const stored = inLost.put(newName(), promise).catch((error: unknown) => {
      order.push('put');
      return error;
    });
    void promise.then(() => order.push('parts'));
    expect(await blobs.get(newName())).toBeNull();
    resolve([]);
    expect(await stored).toMatchObject({ code: 'ENOENT' });
    expect(order).toEqual(['parts', 'put']);
    const reason = new Error('rejected');
    await expect(inLost.put(newName(), Promise.reject(reason))).rejects.toBe(reason);
  });

  test('a put that fails leaves no file, and the next one succeeds', async () => {
    const name = newName();
    // A folder in the place of the file: it cannot be opened.
    await blobs.put(name, [Buffer.from('text')]);
    await blobs.delete(name);
    mkdirSync(join(folder, name.slice(0, 2), name));
    await expect(blobs.put(name, [Buffer.from('text')])).rejects.toMatchObject({ code: 'EISDIR' });
    rmdirSync(join(folder, name.slice(0, 2), name));
    await blobs.put(name, [Buffer.from('text')]);
    expect(await blobs.get(name)).not.toBeNull();
  });
});

describe.skipIf(diskImagesMissing)('files of blobs on a disk of their own', () => {
  let parent: string;
  let disk: ReturnType<typeof makeDiskImage>;
  let blobs: Blobs;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'svc-blobs-'));
    disk = makeDiskImage(parent, 'small');
    blobs = openFilesystemBlobs(join(disk.path, 'blobs'));
  });
  afterEach(async () => {
    disk.unmount();
    await rm(parent, { recursive: true, force: true });
  });
  const failureOf = (name: string, length: number): Promise<unknown> =>
    blobs.put(name, [systemRandom.bytes(length)]).catch((error: unknown) => error);

  test('a full disk is reported as unavailable, leaves no file, and works again when there is space', async () => {
    const [kept, rejected] = [newName(), newName()];
    await blobs.put(kept, [systemRandom.bytes(1000)]);
    const filler = join(disk.path, 'filler');
    fillUp(filler);
    expect(isUnavailable(await failureOf(rejected, 4_000_000))).toBe(true);
    expect(await blobs.get(rejected)).toBeNull();
    expect(await listedIn(blobs, Date.now() + HOUR_MS)).toEqual([kept]);
    await rm(filler);
    await blobs.put(rejected, [systemRandom.bytes(4_000_000)]);
    expect(await blobs.get(rejected)).toHaveLength(4_000_000);
  });

  test('a failing disk is reported as unavailable, even when the blob needs a new folder', async () => {
    const there = `00${newName().slice(2)}`;
    await blobs.put(there, [systemRandom.bytes(10)]);
    disk.breakDown();
    for (const prefix of ['00', '01'])
      expect(isUnavailable(await failureOf(`${prefix}${newName().slice(2)}`, 10))).toBe(true);
    expect(await blobs.get(there)).toHaveLength(10);
  });

  function fillUp(file: string): void {
    for (let size = 64 * 1024 * 1024; size >= 1024; size = Math.floor(size / 2)) {
      try {
        writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
      } catch {
        // The whole blob does not fit, but half of it may.
      }
    }
  }
});

test.skipIf(process.getuid?.() === 0)('the check reports a folder that cannot be written to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-blobs-'));
  const blobs = openFilesystemBlobs(folder);
  chmodSync(folder, 0o500);
  await expect(blobs.check()).rejects.toMatchObject({ code: 'EACCES' });
  chmodSync(folder, 0o700);
  await rm(folder, { recursive: true, force: true });
});
