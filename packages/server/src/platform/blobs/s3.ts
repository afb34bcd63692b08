/**
 * Blobs as objects in a bucket, named like the files of the folder, so that either can be copied to the other.
 *
 * A write is conditional: an existing object is never replaced. The request's signature covers a SHA-256 of the bytes,
 * so the store rejects what arrives damaged. A write has succeeded once the store shows the object with the length, the
 * digest and the ETag of the write. Each read compares the digest, which is stored beside the object. An object that
 * another tool copied here may lack the digest; then only the seal of the blob proves that it is intact.
 */
import { createHash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import { StartError } from '#start-error';
import type { Random } from '../random.ts';
import {
  BlobDamagedError,
  isBlobName,
  MARK_FILE,
  newBlobName,
  type BlobParts,
  type MarkedBlobs,
} from './blobs.ts';
import {
  createBoundedCalls,
  defaultCallBounds,
  FinalError,
  type Attempt,
  type CallBounds,
} from './bounded-calls.ts';
import { s3PlaceInWords, type S3Place } from './s3-place.ts';
import { s3ReasonInWords } from './s3-reasons.ts';

export interface S3Blobs extends MarkedBlobs {
  /** Aborts all calls and closes the connections. */
  close(): void;
}

interface ProvedBlobs extends S3Blobs {
  /** Tries each call that the service needs. */
  prove(nameOfProbe: string): Promise<void>;
}

const FAN_OUT_LENGTH = 2;
const PROBE = '.probe';
const DIGEST = 'sha256';
/** A smaller difference may just be the time that a response took. */
const CLOCK_DIFFERENCE_MS_MIN = 60_000;
const LENGTH_MAX = 2 ** 31;

const silent = () => undefined;

/** @throws StartError when the bucket cannot be used; then nothing is left open. */
export async function openS3Blobs(
  place: S3Place,
  random: Random,
  bounds: CallBounds = defaultCallBounds,
): Promise<S3Blobs> {
  const blobs = createS3Blobs(place, bounds);
  try {
    await blobs.prove(newBlobName(random));
    return blobs;
  } catch (error) {
    blobs.close();
    throw new StartError(
      `BLOB_URL: ${s3PlaceInWords(place)} cannot be used (${s3ReasonInWords(error)}). Name a bucket that exists, with credentials that may read, write, list and delete its objects.`,
      { cause: error },
    );
  }
}

function createS3Blobs(place: S3Place, bounds: CallBounds): ProvedBlobs {
  const { bucket: Bucket, prefix, endpoint, region, credentials } = place;
  const client = new S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === null ? {} : { credentials }),
    maxAttempts: 1,
    requestHandler: { httpAgent: agentOptions(bounds), httpsAgent: agentOptions(bounds) },
    // A further checksum is not needed: the signature has a digest of the same bytes, which every server checks.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    // Errors are logged by the callers.
    logger: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
  });
  const calls = createBoundedCalls(bounds);
  const keyOf = (name: string) => `${prefix}${name.slice(0, FAN_OUT_LENGTH)}/${name}`;

  async function write(key: string, sent: Sent, attempt: Attempt): Promise<void> {
    attempt.expect(sent.length);
    const command = new PutObjectCommand({
      Bucket,
      Key: key,
      Body: Readable.from(sent.parts),
      ContentLength: sent.length,
      ContentType: 'application/octet-stream',
      IfNoneMatch: '*',
      Metadata: { [DIGEST]: sent.sha256 },
    });
    command.middlewareStack.add(
      (next) => (given) => {
        (given.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sent.sha256;
        return next(given);
      },
      { step: 'build', name: 'digestOfBody' },
    );
    const { ETag } = await client.send(command, { abortSignal: attempt.signal });
    if (await isStored(key, sent, attempt, ETag)) return;
    await client.send(new DeleteObjectCommand({ Bucket, Key: key }), { abortSignal: attempt.signal });
    throw new Error('the stored bytes differ from those that the store confirmed');
  }

  /** @param confirmed the ETag that the write returned; null when its response was lost. */
  async function isStored(
    key: string,
    sent: Sent,
    { signal }: Attempt,
    confirmed: string | undefined | null,
  ): Promise<boolean> {
    const stored = await client.send(new HeadObjectCommand({ Bucket, Key: key }), { abortSignal: signal });
    return (
      stored.Metadata?.[DIGEST] === sent.sha256 &&
      stored.ContentLength === sent.length &&
      (confirmed === null || stored.ETag === confirmed)
    );
  }

  async function put(key: string, parts: BlobParts): Promise<void> {
    const sent = sentOf(await parts);
    await calls.run('a write', async (attempt) => {
      try {
        await write(key, sent, attempt);
      } catch (error) {
        if (nameOf(error) !== 'PreconditionFailed') throw error;
        // After a lost response, the object of an earlier attempt is there.
        if (!(await isStored(key, sent, attempt, null)))
          throw new FinalError(`the object ${key} already exists`, { cause: error });
      }
    });
  }

  /** Whether a second write replaces an object. */
  function replaces(key: string): Promise<boolean> {
    return put(key, [Buffer.from('other')]).then(
      () => true,
      (error: unknown) => {
        if (error instanceof FinalError) return false;
        throw error;
      },
    );
  }

  async function get(key: string): Promise<Uint8Array | null> {
    return calls.run('a read', async (attempt) => {
      let found;
      try {
        found = await client.send(new GetObjectCommand({ Bucket, Key: key }), {
          abortSignal: attempt.signal,
        });
      } catch (error) {
        if (nameOf(error) === 'NoSuchKey') return null;
        throw error;
      }
      const bytes = await readWhole(found.Body as Readable, found.ContentLength, attempt);
      const expected = found.Metadata?.[DIGEST];
      if (expected !== undefined && createHash('sha256').update(bytes).digest('hex') !== expected)
        throw new BlobDamagedError('its digest differs');
      return bytes;
    });
  }

  const keyOfMark = prefix + MARK_FILE;
  async function readMark(): Promise<string | null> {
    const bytes = await get(keyOfMark);
    return bytes === null ? null : Buffer.from(bytes).toString();
  }

  async function remove(key: string): Promise<void> {
    await calls.run('a deletion', ({ signal }) =>
      client.send(new DeleteObjectCommand({ Bucket, Key: key }), { abortSignal: signal }),
    );
  }

  async function listPage(
    token: string | undefined,
  ): Promise<ListObjectsV2CommandOutput & { clockAhead: number }> {
    return calls.run('a listing', async ({ signal }) => {
      let clockAhead = 0;
      const command = new ListObjectsV2Command({
        Bucket,
        Prefix: prefix,
        ...(token === undefined ? {} : { ContinuationToken: token }),
      });
      command.middlewareStack.add(
        (next) => async (given) => {
          const result = await next(given);
          const { headers } = result.response as { headers: Record<string, string | undefined> };
          const difference = Date.parse(headers['date'] ?? '') - Date.now();
          if (Math.abs(difference) > CLOCK_DIFFERENCE_MS_MIN) clockAhead = difference;
          return result;
        },
        { step: 'deserialize', name: 'clockOfStore' },
      );
      const page = await client.send(command, { abortSignal: signal });
      if (page.IsTruncated && (!page.NextContinuationToken || page.NextContinuationToken === token))
        throw new Error('the listing is incomplete: it names no next page');
      return { ...page, clockAhead };
    });
  }

  return {
    put: (name, parts) => put(keyOf(name), parts),
    get: async (name) => (isBlobName(name) ? get(keyOf(name)) : null),
    async delete(name) {
      if (isBlobName(name)) await remove(keyOf(name));
    },

    async *list(writtenBefore) {
      let token: string | undefined;
      do {
        const page = await listPage(token);
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const name = Key.slice(prefix.length + FAN_OUT_LENGTH + 1);
          const isOld =
            LastModified !== undefined && LastModified.getTime() < writtenBefore + page.clockAhead;
          if (isOld && isBlobName(name) && Key === keyOf(name)) yield name;
        }
        token = page.NextContinuationToken;
      } while (token !== undefined);
    },

    // An object appears only when it is complete, so an interrupted write leaves nothing behind.

    readMark,

    async writeMark(mark) {
      const present = await readMark();
      if (present !== null) return present;
      try {
        await put(keyOfMark, [Buffer.from(mark)]);
      } catch (error) {
        // Another replica was first.
        if (!(error instanceof FinalError)) throw error;
      }
      return (await readMark()) ?? mark;
    },

    async check() {
      const probe = { Bucket, Key: prefix + PROBE, Body: Uint8Array.of(1) };
      await calls.run(
        'a write',
        ({ signal }) => client.send(new PutObjectCommand(probe), { abortSignal: signal }),
        1,
      );
    },

    async prove(nameOfProbe) {
      const key = `${prefix}${PROBE}-${nameOfProbe}`;
      await put(key, [Buffer.from(nameOfProbe)]);
      try {
        if (await replaces(key))
          throw new FinalError('it ignores If-None-Match: *, so writes can overwrite one another');
        const read = await get(key);
        if (read === null || Buffer.from(read).toString() !== nameOfProbe)
          throw new FinalError('it returns bytes that differ from those stored');
        await listPage(undefined);
      } finally {
        await remove(key);
      }
    },

    close() {
      calls.close();
      client.destroy();
    },
  };
}

const agentOptions = ({ parallelMax }: CallBounds) => ({ keepAlive: true, maxSockets: parallelMax });

interface Sent {
  readonly parts: readonly Uint8Array[];
  readonly length: number;
  readonly sha256: string;
}

function sentOf(parts: readonly Uint8Array[]): Sent {
  const sha256 = createHash('sha256');
  let length = 0;
  for (const part of parts) {
    sha256.update(part);
    length += part.length;
  }
  return { parts, length, sha256: sha256.digest('hex') };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** Reads the body into one buffer of the announced length. */
async function readWhole(body: Readable, length: number | undefined, attempt: Attempt): Promise<Uint8Array> {
  addAbortSignal(attempt.signal, body);
  if (length === undefined || length > LENGTH_MAX) {
    body.destroy();
    throw new Error('the response has no length that can be used');
  }
  attempt.expect(length);
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    if (filled + chunk.length > length) throw new Error('the response is longer than announced');
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  if (filled < length) throw new Error('the response was cut off');
  return bytes;
}
