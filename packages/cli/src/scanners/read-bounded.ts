/** Reads a file or a stream into memory up to a size. */
import * as fs from 'node:fs/promises';

/** @throws the file system's error, and one for what is no regular file. */
export async function readBounded(file: string, bytesMax: number): Promise<Buffer | 'too_large'> {
  // A pipe would be waited for.
  const handle = await fs.open(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('It is no regular file.');
    if (stat.size > bytesMax) return 'too_large';
    return await readStream(handle.createReadStream({ autoClose: false }), bytesMax);
  } finally {
    await handle.close();
  }
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
