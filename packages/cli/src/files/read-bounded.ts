/** Reads a file or a stream into memory up to a size. */
import * as fs from 'node:fs/promises';

const GROWTH_BYTES = 64 * 1024;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/** A file that a person named: links are followed. @throws the file system's error, and one for what is no regular file. */
export function readBounded(file: string, bytesMax: number): Promise<Buffer | 'too_large'> {
  return readAt(file, O_RDONLY | O_NONBLOCK, bytesMax);
}

/** A file of a scanned repository: neither a link is followed nor a pipe waited for. @throws as `readBounded`. */
export function readScanned(place: string | Buffer, bytesMax: number): Promise<Buffer | 'too_large'> {
  return readAt(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, bytesMax);
}

async function readAt(
  place: string | Buffer,
  flags: number,
  bytesMax: number,
): Promise<Buffer | 'too_large'> {
  // Without O_NONBLOCK opening a pipe would wait for its writer.
  const handle = await fs.open(place, flags);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('It is no regular file.');
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
  // A file may have grown since, and those of /proc have no size.
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
