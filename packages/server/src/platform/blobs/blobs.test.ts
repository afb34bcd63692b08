/** One suite for every blob store, which checks what the port promises. Below it are tests for files only. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskImagesMissing, makeDiskImage } from '@svc/testkit/disk-image';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../random.ts';
import { isUnavailable } from '../unavailable.ts';
import { isBlobName, newBlobName, type Blobs } from './blobs.ts';
import { openFilesystemBlobs } from './filesystem.ts';

interface Opened {
  readonly blobs: Blobs;
  /** Sets the time at which a blob was written. */
  age(name: string, writtenAt: number): void;
  close(): Promise<void>;
}

async function openInFolder(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-blobs-'));
  return {
    blobs: openFilesystemBlobs(folder),
    age: (name, writtenAt) =>
      utimesSync(join(folder, name.slice(0, 2), name), writtenAt / 1000, writtenAt / 1000),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

const newName = () => newBlobName(systemRandom);
const HOUR_MS = 3_600_000;

async function listedIn(blobs: Blobs, writtenBefore: number): Promise<string[]> {
  const names: string[] = [];
  for await (const name of blobs.list(writtenBefore)) names.push(name);
  return names;
}

describe('blobs in files', () => {
  suite(openInFolder);
});

function suite(open: () => Promise<Opened>): void {
  let opened: Opened;
  let blobs: Blobs;
  beforeAll(async () => {
    opened = await open();
    ({ blobs } = opened);
  });
  afterAll(() => opened.close());

  test.each([
    ['nothing', []],
    ['one part', [Buffer.from('one')]],
    ['several parts', [Buffer.from('one'), Buffer.alloc(0), Buffer.from('two')]],
    ['many bytes', [systemRandom.bytes(1), systemRandom.bytes(3_000_000), systemRandom.bytes(16)]],
  ])('%s is read byte for byte', async (_title, parts) => {
    const name = newName();
    await blobs.put(name, parts);
    expect(Buffer.concat([(await blobs.get(name))!]).equals(Buffer.concat(parts))).toBe(true);
  });

  test('reading an unknown blob returns null', async () => {
    expect(await blobs.get(newName())).toBeNull();
  });

  test.each(['', '.', '..', '../../etc/passwd', 'a', `${'a'.repeat(31)}/`, 'A'.repeat(32)])(
    '%j is not a valid name: reading it returns null, and deleting it does nothing',
    async (name) => {
      expect(isBlobName(name)).toBe(false);
      expect(await blobs.get(name)).toBeNull();
      await blobs.delete(name);
    },
  );

  test('deleting removes only that blob, and repeating it does nothing', async () => {
    const [one, other] = [newName(), newName()];
    await blobs.put(one, [Buffer.from('one')]);
    await blobs.put(other, [Buffer.from('other')]);
    await blobs.delete(one);
    await blobs.delete(one);
    expect(await blobs.get(one)).toBeNull();
    expect(await blobs.get(other)).not.toBeNull();
  });

  test('a hundred parallel puts are all stored', async () => {
    const names = Array.from({ length: 100 }, newName);
    await Promise.all(names.map((name) => blobs.put(name, [Buffer.from(name)])));
    const read = await Promise.all(names.map((name) => blobs.get(name)));
    expect(read.map((bytes) => Buffer.from(bytes!).toString())).toEqual(names);
  });

  test('only blobs written before the given time are listed', async () => {
    const [old, young] = [newName(), newName()];
    await blobs.put(old, [Buffer.from('old')]);
    await blobs.put(young, [Buffer.from('young')]);
    opened.age(old, Date.now() - 2 * HOUR_MS);
    const names = await listedIn(blobs, Date.now() - HOUR_MS);
    expect(names).toContain(old);
    expect(names).not.toContain(young);
  });

  test('cleaning up removes no blob', async () => {
    const name = newName();
    await blobs.put(name, [Buffer.from('kept')]);
    opened.age(name, Date.now() - 2 * HOUR_MS);
    await blobs.tidy(Date.now() - HOUR_MS);
    expect(await blobs.get(name)).not.toBeNull();
  });

  test('the check succeeds when the store can be written to', async () => {
    await expect(blobs.check()).resolves.toBeUndefined();
  });
}

describe('files of blobs', () => {
  let folder: string;
  let blobs: Blobs;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-blobs-'));
    blobs = openFilesystemBlobs(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const filesOf = (path: string) => readdirSync(path, { recursive: true }).map(String).toSorted();

  test('[D6] a blob is one file that only its owner can access, and no temporary file is left', async () => {
    const name = newName();
    await blobs.put(name, [Buffer.from('text')]);
    const inFolder = join(folder, name.slice(0, 2));
    expect(readdirSync(inFolder)).toEqual([name]);
    expect(statSync(join(inFolder, name)).mode & 0o777).toBe(0o600);
  });

  test('temporary files of an interrupted put are deleted once they are old, and never listed', async () => {
    const name = newName();
    await blobs.put(name, [Buffer.from('text')]);
    const temporary = join(folder, name.slice(0, 2), `${newName()}.new`);
    writeFileSync(temporary, 'half');
    await blobs.tidy(Date.now() - HOUR_MS);
    expect(existsSync(temporary)).toBe(true);
    utimesSync(temporary, 0, 0);
    const listed = await listedIn(blobs, Date.now() + HOUR_MS);
    expect(listed.filter((one) => !isBlobName(one))).toEqual([]);
    await blobs.tidy(Date.now() - HOUR_MS);
    expect(existsSync(temporary)).toBe(false);
    expect(existsSync(join(folder, name.slice(0, 2), name))).toBe(true);
  });

  test('a put under way is never an orphan, even when the clock was set forward', async () => {
    const name = newName();
    const parts = Array.from({ length: 8 }, () => Buffer.alloc(1024 * 1024, 'a'));
    const written = blobs.put(name, parts).then(() => 'written' as const);
    const tidied = async () => blobs.tidy(Date.now() + HOUR_MS).then(() => 'tidied' as const);
    while ((await Promise.race([written, tidied()])) === 'tidied');
    expect((await blobs.get(name))?.length).toBe(8 * 1024 * 1024);
  });

  test('a put that fails leaves no file, and the next one succeeds', async () => {
    const name = newName();
    // A folder in the place of the file: the rename fails after everything was written.
    await blobs.put(name, [Buffer.from('text')]);
    await blobs.delete(name);
    mkdirSync(join(folder, name.slice(0, 2), name));
    await expect(blobs.put(name, [Buffer.from('text')])).rejects.toMatchObject({ code: 'EISDIR' });
    expect(filesOf(folder).filter((file) => file.endsWith('.new'))).toEqual([]);
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

  test('a failing disk is reported as unavailable, also when the blob needs a new folder', async () => {
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
