/** Reads a file or a stream into memory, up to a size limit, or a file in parts. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import * as fs from 'node:fs/promises';

const GROWTH_BYTES = 64 * 1024;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/**
 * A file that a person named, so links are followed.
 * @throws the file system's error, or an error for a file that is not regular.
 */
export function readBounded(file: string, bytesMax: number): Promise<Buffer | 'too_large'> {
  return readAt(file, O_RDONLY | O_NONBLOCK, bytesMax);
}

/**
 * A file of a scanned repository: links are not followed, and pipes are not waited for.
 * @throws as `readBounded`.
 */
export function readScanned(place: string | Buffer, bytesMax: number): Promise<Buffer | 'too_large'> {
  return readAt(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, bytesMax);
}

/** The synchronous form of `readScanned`. @throws as `readBounded`. */
export function readScannedSync(place: string, bytesMax: number): Buffer | 'too_large' {
  const descriptor = openSync(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new Error('It is not a regular file.');
    if (stat.size > bytesMax) return 'too_large';
    return readRange(descriptor, 0, stat.size);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns fewer bytes if the file ends earlier. */
function readRange(descriptor: number, start: number, end: number): Buffer {
  const buffer = Buffer.allocUnsafe(end - start);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, start + length);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

/** A file that is read in parts, in any order. One read serves many small parts that follow each other. */
export interface OpenFile extends Disposable {
  /** The length in bytes. */
  readonly length: number;
  read(start: number, end: number): Buffer;
}

const WINDOW_BYTES = 256 * 1024;

/**
 * A file that a person named, or one of our own.
 * @throws as `readBounded`.
 */
export function openParts(file: string): OpenFile {
  const descriptor = openSync(file, O_RDONLY | O_NONBLOCK);
  const stat = fstatSync(descriptor);
  if (!stat.isFile()) {
    closeSync(descriptor);
    throw new Error('It is not a regular file.');
  }
  let window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };
  return {
    length: stat.size,
    read: (start, end) => {
      if (end - start > WINDOW_BYTES) return readRange(descriptor, start, end);
      if (start < window.start || end > window.start + window.bytes.length)
        window = { start, bytes: readRange(descriptor, start, Math.min(start + WINDOW_BYTES, stat.size)) };
      return window.bytes.subarray(start - window.start, end - window.start);
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

async function readAt(
  place: string | Buffer,
  flags: number,
  bytesMax: number,
): Promise<Buffer | 'too_large'> {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  const handle = await fs.open(place, flags);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('It is not a regular file.');
    return await readHandle(handle, bytesMax);
  } finally {
    await handle.close();
  }
}

export async function readHandle(handle: fs.FileHandle, bytesMax: number): Promise<Buffer | 'too_large'> {
  const { size } = await handle.stat();
  if (size > bytesMax) return 'too_large';
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // The file may have grown since its size was read, and files in /proc report no size.
  for (let wanted = size; ; wanted = GROWTH_BYTES) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(wanted + 1), 0, wanted + 1, sizeBytes);
    if (bytesRead === 0) break;
    sizeBytes += bytesRead;
    if (sizeBytes > bytesMax) return 'too_large';
    chunks.push(buffer.subarray(0, bytesRead));
  }
  const [only, ...more] = chunks;
  return only !== undefined && more.length === 0 ? only : Buffer.concat(chunks);
}

export async function readStream(
  stream: AsyncIterable<unknown>,
  bytesMax: number,
): Promise<Buffer | 'too_large'> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    sizeBytes += bytes.length;
    if (sizeBytes > bytesMax) return 'too_large';
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
