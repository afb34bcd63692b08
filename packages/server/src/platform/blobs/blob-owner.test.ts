/** A store of blobs belongs to one database. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sharedServer } from '@svc/testkit/suite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../random.ts';
import { BLOB_STORE, claimBlobs } from './blob-owner.ts';
import { newBlobName, type MarkedBlobs } from './blobs.ts';
import { openFilesystemBlobs } from './filesystem.ts';

const server = sharedServer();
let folder: string;
let place: string;
let blobs: MarkedBlobs;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-owners-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  place = await mkdtemp(path.join(folder, 'blobs-'));
  blobs = openFilesystemBlobs(place, false);
  await forget();
});

const newName = () => newBlobName(systemRandom);
const read = () => server.service.database.read;
const forget = () => read().deleteFrom('deployment').where('name', '=', BLOB_STORE).execute();
const store = async () =>
  (await read().selectFrom('deployment').select('value').where('name', '=', BLOB_STORE).executeTakeFirst())
    ?.value;

const claim = (named: readonly string[] = []) =>
  claimBlobs(
    server.service.database,
    { blobs, place: 'The folder', otherPlace: 'name another one', howToMove: 'Move them.' },
    () => Promise.resolve(named),
    newName,
  );

describe('a store without a mark', () => {
  test('gets one at the first start, which the next start finds', async () => {
    await claim();
    const mark = await blobs.readMark();
    expect(mark).toBe(await store());
    await claim();
    expect(await blobs.readMark()).toBe(mark);
    expect(await readdir(place)).toEqual(['.deployment']);
  });

  test('gets one if it has a blob that the database names, as after a copy by hand', async () => {
    const name = newName();
    await blobs.put(name, [Buffer.from('sealed')]);
    await claim([newName(), name]);
    expect(await blobs.readMark()).toBe(await store());
  });

  test('is rejected when it has none of the blobs that the database names', async () => {
    await expect(claim([newName(), newName()])).rejects.toMatchObject({
      lines: ['The folder does not hold the report bodies of this database. Move them.'],
    });
    expect(await blobs.readMark()).toBeNull();
  });

  test('keeps the first of many marks that are written at the same time', async () => {
    const marks = await Promise.all(Array.from({ length: 10 }, () => blobs.writeMark(newName())));
    expect(new Set(marks)).toEqual(new Set([await blobs.readMark()]));
  });
});

describe('a store with the mark of another database', () => {
  test('is rejected by a new database, and by one that has a store', async () => {
    await blobs.writeMark(newName());
    await expect(claim()).rejects.toMatchObject({
      lines: [
        'The folder holds the report bodies of another database. Use that database, or name another one.',
      ],
    });
    await server.service.database.read
      .insertInto('deployment')
      .values({ name: BLOB_STORE, value: newName() })
      .execute();
    await expect(claim()).rejects.toMatchObject({
      lines: [
        expect.stringMatching(/^The folder does not hold the report bodies of this database, but those of/),
      ],
    });
  });
});
