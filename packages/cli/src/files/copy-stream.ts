/** Copies a stream to a new private file. */
import { open } from 'node:fs/promises';

/** @throws EEXIST when the file exists, and the error of the stream. */
export async function copyStream(
  stream: AsyncIterable<unknown>,
  file: string,
  bytesMax: number,
): Promise<'copied' | 'too_large'> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let sizeBytes = 0;
    for await (const chunk of stream) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      sizeBytes += bytes.length;
      if (sizeBytes > bytesMax) return 'too_large';
      await handle.writeFile(bytes);
    }
    return 'copied';
  } finally {
    await handle.close();
  }
}
