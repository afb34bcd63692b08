/** What the port of blobs promises, checked on any store. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBlobName, newBlobName, type Blobs } from '../src/platform/blobs/blobs.ts';
import { systemRandom } from '../src/platform/random.ts';

export interface OpenedBlobs {
  readonly blobs: Blobs;
  /** Makes sure that blobs written from now on are newer than this blob. Returns a time between them. */
  timeAfter(name: string): Promise<number>;
  close(): Promise<void>;
}

const newName = () => newBlobName(systemRandom);

export async function listedIn(blobs: Blobs, writtenBefore: number): Promise<string[]> {
  const names: string[] = [];
  for await (const name of blobs.list(writtenBefore)) names.push(name);
  return names;
}

export function blobStoreSuite(open: () => Promise<OpenedBlobs>): void {
  let opened: OpenedBlobs;
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

  test('parts that are still being made are stored once they are there', async () => {
    const name = newName();
    const { promise, resolve } = Promise.withResolvers<Uint8Array[]>();
    const stored = blobs.put(name, promise);
    expect(await blobs.get(newName())).toBeNull();
    resolve([Buffer.from('late'), Buffer.from('r')]);
    await stored;
    expect(Buffer.from((await blobs.get(name))!).toString()).toBe('later');
  });

  test('of parts that cannot be made nothing remains, and the put fails with their error', async () => {
    const name = newName();
    const reason = new Error('rejected');
    await expect(blobs.put(name, Promise.reject(reason))).rejects.toBe(reason);
    expect(await blobs.get(name)).toBeNull();
    expect(await listedIn(blobs, Number.MAX_SAFE_INTEGER)).not.toContain(name);
    await blobs.put(name, [Buffer.from('again')]);
    expect(await blobs.get(name)).not.toBeNull();
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
    const between = await opened.timeAfter(old);
    await blobs.put(young, [Buffer.from('young')]);
    const names = await listedIn(blobs, between);
    expect(names).toContain(old);
    expect(names).not.toContain(young);
  });

  test('the check succeeds when the store can be written to', async () => {
    await expect(blobs.check()).resolves.toBeUndefined();
  });
}
