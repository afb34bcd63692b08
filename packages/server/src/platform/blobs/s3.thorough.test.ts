/** Blobs in a bucket of a real Ceph, directly and through a proxy that fails. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { cephMissing, startCephServer, type CephServer } from '@svc/testkit/ceph-server';
import { startFaultyProxy, type Fault, type FaultyProxy } from '@svc/testkit/faulty-proxy';
import pLimit from 'p-limit';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { blobStoreSuite, listedIn, type OpenedBlobs } from '../../../test/blob-store-suite.ts';
import { systemRandom } from '../random.ts';
import { isUnavailable } from '../unavailable.ts';
import { BlobDamagedError, newBlobName } from './blobs.ts';
import { defaultCallBounds } from './bounded-calls.ts';
import { openS3Blobs, type S3Blobs } from './s3.ts';
import type { S3Place } from './s3-place.ts';

const newName = () => newBlobName(systemRandom);
const HOUR_MS = 3_600_000;
const BUCKET = 'reports';

const outcomeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);
const text = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString());

describe.skipIf(cephMissing)('blobs in a bucket (install radosgw, ceph-mon, ceph-osd, ceph-common)', () => {
  let ceph: CephServer;
  let client: S3Client;
  beforeAll(async () => {
    ceph = await startCephServer();
    await ceph.makeBucket(BUCKET);
    client = new S3Client({
      region: 'us-east-1',
      endpoint: ceph.url,
      forcePathStyle: true,
      credentials: ceph.credentials,
    });
  });
  afterAll(async () => {
    client?.destroy();
    await ceph?.remove();
  });

  const placeAt = (endpoint: string, prefix: string): S3Place => ({
    bucket: BUCKET,
    prefix,
    endpoint,
    region: 'us-east-1',
    credentials: ceph.credentials,
  });
  const opened = (prefix: string) => openS3Blobs(placeAt(ceph.url, prefix), systemRandom);
  const objectsIn = async (prefix: string) =>
    (await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: prefix }))).Contents ?? [];

  describe('the suite of every store', () => {
    blobStoreSuite(async (): Promise<OpenedBlobs> => {
      const blobs = await opened('suite/');
      return {
        blobs,
        async timeAfter(name) {
          const written = await objectsIn(`suite/${name.slice(0, 2)}/${name}`);
          const between = written[0]!.LastModified!.getTime() + 1;
          await vi.waitUntil(() => Date.now() > between, { interval: 1 });
          return between;
        },
        close: () => Promise.resolve(blobs.close()),
      };
    });
  });

  test('of eight writers of the same name, exactly one succeeds, and its blob stays', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => opened('race/')));
    for (let round = 0; round < 5; round += 1) {
      const name = newName();
      const parts = Array.from({ length: 8 }, (_, index) => Buffer.alloc(200_000, String(index)));
      const outcomes = await Promise.allSettled(
        parts.map((part, index) => stores[index % 4]!.put(name, [part])),
      );
      const winners = parts.filter((_, index) => outcomes[index]!.status === 'fulfilled');
      expect(winners).toHaveLength(1);
      expect(Buffer.from((await stores[0]!.get(name))!).equals(winners[0]!)).toBe(true);
    }
    for (const store of stores) store.close();
  });

  test('opening a store leaves no object, and the check leaves one', async () => {
    const blobs = await opened('clean/');
    expect(await objectsIn('clean/')).toEqual([]);
    await blobs.check();
    await blobs.check();
    expect(await objectsIn('clean/')).toMatchObject([{ Key: 'clean/.probe', Size: 1 }]);
    blobs.close();
  });

  test('more objects than one page has are listed once each, and those of other prefixes never', async () => {
    const blobs = await opened('many/');
    const names = Array.from({ length: 1010 }, newName);
    // Sixteen at a time, because a call that waits too long for its turn fails.
    await pLimit(16).map(names, (name) => blobs.put(name, []));
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: `many/other/${newName()}`, Body: 'x' }));
    expect((await listedIn(blobs, Date.now() + HOUR_MS)).toSorted()).toEqual(names.toSorted());
    const outer = await opened('');
    expect(await listedIn(outer, Date.now() + HOUR_MS)).toEqual([]);
    for (const store of [blobs, outer]) store.close();
  });

  test('an object that another tool copied into the bucket is read', async () => {
    const blobs = await opened('copied/');
    const name = newName();
    const Key = `copied/${name.slice(0, 2)}/${name}`;
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: 'copied' }));
    expect(text(await blobs.get(name))).toBe('copied');
    blobs.close();
  });

  test('an object whose bytes were changed in the bucket is reported as damaged', async () => {
    const blobs = await opened('changed/');
    const name = newName();
    await blobs.put(name, [Buffer.from('written')]);
    const Key = `changed/${name.slice(0, 2)}/${name}`;
    const stored = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: Key }));
    expect(stored.KeyCount).toBe(1);
    const Metadata = { sha256: '0'.repeat(64) };
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: 'changed', Metadata }));
    expect(await outcomeOf(blobs.get(name))).toBeInstanceOf(BlobDamagedError);
    blobs.close();
  });

  describe('behind a proxy that fails', () => {
    const bounds = { ...defaultCallBounds, answerMs: 1500, retriesWithinMs: 6000, parallelMax: 8 };
    const long = Buffer.alloc(300_000, 'long');
    let proxy: FaultyProxy;
    let blobs: S3Blobs;
    let stored: string;
    beforeAll(async () => {
      proxy = await startFaultyProxy(ceph.url);
      blobs = await openS3Blobs(placeAt(proxy.url, 'faults/'), systemRandom, bounds);
      stored = newName();
      await blobs.put(stored, [long]);
    });
    afterEach(() => proxy.recover());
    afterAll(async () => {
      blobs?.close();
      await proxy?.close();
    });
    const isWhole = (bytes: Uint8Array | null) => bytes !== null && long.equals(bytes);
    const calls = (): [string, () => Promise<unknown>][] => [
      ['put', () => blobs.put(newName(), [long])],
      ['get', () => blobs.get(stored)],
      ['delete', () => blobs.delete(newName())],
      ['list', () => listedIn(blobs, Date.now())],
      ['check', () => blobs.check()],
    ];

    test('every call fails as unavailable while the port is closed, until the store is back', async () => {
      await proxy.halt();
      for (const [name, call] of calls())
        expect([name, isUnavailable(await outcomeOf(call()))]).toEqual([name, true]);
      await proxy.resume();
      for (const [, call] of calls()) await call();
    });

    test.each<[string, Fault]>([
      ['hangs', 'hang'],
      ['loses responses', 'lose'],
      ['returns 500', { status: 500, code: 'InternalError' }],
      ['returns 503', { status: 503, code: 'SlowDown' }],
      ['denies access', { status: 403, code: 'AccessDenied' }],
      ['has lost the bucket', { status: 404, code: 'NoSuchBucket' }],
    ])('every call to a store that %s fails as unavailable, in bounded time', async (_title, fault) => {
      for (const [name, call] of calls()) {
        proxy.fail(fault);
        const startedAt = performance.now();
        expect([name, isUnavailable(await outcomeOf(call()))]).toEqual([name, true]);
        expect(performance.now() - startedAt).toBeLessThan(30_000);
        proxy.recover();
        await call();
      }
    });

    test('a call is tried three times in total if its failure may pass, and otherwise once', async () => {
      proxy.fail({ status: 503, code: 'SlowDown' });
      await outcomeOf(blobs.get(stored));
      expect(proxy.requests()).toBe(3);
      proxy.fail({ status: 403, code: 'AccessDenied' });
      await outcomeOf(blobs.get(stored));
      expect(proxy.requests()).toBe(1);
      proxy.fail({ status: 503, code: 'SlowDown' });
      await outcomeOf(blobs.check());
      expect(proxy.requests()).toBe(1);
    });

    test.each<Fault>(['hang', 'lose', 'cut', 'flip', { status: 500, code: 'InternalError' }])(
      'a read succeeds when %j happens once',
      async (fault) => {
        proxy.fail(fault, 1);
        expect(isWhole(await blobs.get(stored))).toBe(true);
        expect(proxy.requests()).toBe(2);
      },
    );

    test.each<Fault>(['hang', 'lose', 'flip-sent', 'etag', { status: 503, code: 'SlowDown' }])(
      'a write succeeds when %j happens once, and stores what was sent',
      async (fault) => {
        const name = newName();
        proxy.fail(fault, 1);
        await blobs.put(name, [long.subarray(0, 10), long.subarray(10)]);
        expect(proxy.requests()).toBeGreaterThan(1);
        expect(isWhole(await blobs.get(name))).toBe(true);
      },
    );

    test('a response that is always cut is an error, never data', async () => {
      proxy.fail('cut');
      expect(isUnavailable(await outcomeOf(blobs.get(stored)))).toBe(true);
    });

    test('a response that is always damaged is an error, never data', async () => {
      proxy.fail('flip');
      expect(await outcomeOf(blobs.get(stored))).toBeInstanceOf(BlobDamagedError);
      expect(await outcomeOf(listedIn(blobs, Date.now()))).toBeInstanceOf(Error);
    });

    test.each<Fault>(['flip-sent', 'etag'])(
      'a write fails, and leaves no blob, when %j happens each time',
      async (fault) => {
        const name = newName();
        proxy.fail(fault);
        expect(isUnavailable(await outcomeOf(blobs.put(name, [long])))).toBe(true);
        proxy.recover();
        expect(await blobs.get(name)).toBeNull();
      },
    );

    test('at most the allowed number of calls run at one time, and the others wait', async () => {
      // A proxy of its own: the other one may still be closing requests that an earlier test aborted.
      const own = await startFaultyProxy(ceph.url);
      onTestFinished(() => own.close());
      const patient = { ...defaultCallBounds, parallelMax: 8 };
      const eight = await openS3Blobs(placeAt(own.url, 'faults/'), systemRandom, patient);
      const reads = await Promise.all(Array.from({ length: 60 }, () => eight.get(stored)));
      expect(reads.every(isWhole)).toBe(true);
      expect(own.parallel()).toBeLessThanOrEqual(8);
      own.fail('hang');
      const waiting = Array.from({ length: 60 }, () => outcomeOf(eight.get(stored)));
      await expect.poll(own.requests).toBe(8);
      eight.close();
      expect((await Promise.all(waiting)).every(isUnavailable)).toBe(true);
      expect(own.requests()).toBe(8);
    });

    test('calls that wait too long for their turn fail', async () => {
      proxy.fail('hang');
      const hung = await Promise.all(Array.from({ length: 60 }, () => outcomeOf(blobs.get(stored))));
      expect(hung.every(isUnavailable)).toBe(true);
      expect(hung.map(String)).toContainEqual(expect.stringContaining('too many calls are waiting'));
    });

    test('closing aborts the calls under way and rejects later ones', async () => {
      const closing = await openS3Blobs(placeAt(proxy.url, 'closing/'), systemRandom);
      proxy.fail('hang');
      const reading = outcomeOf(closing.get(stored));
      await expect.poll(() => proxy.requests()).toBe(1);
      closing.close();
      expect(await reading).toMatchObject({ message: expect.stringContaining('stopping') });
      expect(isUnavailable(await outcomeOf(closing.get(stored)))).toBe(true);
      expect(proxy.requests()).toBe(1);
    });
  });

  describe('a bucket that cannot be used stops the start with one line', () => {
    let simple: Server;
    let simpleUrl: string;
    beforeAll(async () => {
      simple = storeWithoutConditions();
      await new Promise<void>((resolve) => simple.listen(0, '127.0.0.1', resolve));
      simpleUrl = `http://127.0.0.1:${(simple.address() as AddressInfo).port}`;
    });
    afterAll(() => {
      simple?.closeAllConnections();
      simple?.close();
    });

    test.each<[string, (usable: S3Place) => S3Place]>([
      ['there is no such bucket', (place) => ({ ...place, bucket: 'missing' })],
      ['nothing listens there', (place) => ({ ...place, endpoint: 'http://127.0.0.1:1' })],
      [
        'it does not know this AWS_ACCESS_KEY_ID',
        (place) => ({ ...place, credentials: { accessKeyId: 'unknown', secretAccessKey: 'hunter2' } }),
      ],
      [
        'AWS_SECRET_ACCESS_KEY does not belong to this AWS_ACCESS_KEY_ID',
        (place) => ({ ...place, credentials: { ...place.credentials!, secretAccessKey: 'hunter2' } }),
      ],
      ['it ignores If-None-Match', (place) => ({ ...place, endpoint: simpleUrl })],
    ])('%s', async (reason, change) => {
      const place = change(placeAt(ceph.url, 'start/'));
      const failure = await outcomeOf(openS3Blobs(place, systemRandom));
      expect(failure).toMatchObject({ name: 'StartError' });
      const { lines } = failure as { lines: readonly string[] };
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(`BLOB_URL: s3://${place.bucket}/start/ at ${place.endpoint} cannot be used (`);
      expect(lines[0]).toContain(reason);
      expect(lines[0]).not.toContain('hunter2');
    });
  });
});

/** An object store that does not know conditional writes. */
function storeWithoutConditions(): Server {
  const objects = new Map<string, { bytes: Buffer; digest: string }>();
  return createServer((request, response) => {
    const { method, headers } = request;
    const [url = ''] = request.url!.split('?');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const found = objects.get(url);
      if (method === 'PUT')
        objects.set(url, { bytes: Buffer.concat(chunks), digest: String(headers['x-amz-meta-sha256']) });
      if (method === 'DELETE') objects.delete(url);
      const isRead = method === 'GET' || method === 'HEAD';
      const meta =
        found && isRead ? { 'x-amz-meta-sha256': found.digest, 'content-length': found.bytes.length } : {};
      response.writeHead(isRead && !found ? 404 : 200, { etag: '"x"', ...meta });
      response.end(isRead ? found?.bytes : undefined);
    });
  });
}
