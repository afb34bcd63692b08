/** Files named on the command line. They may be links, and pipes are read to their end. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { addAbortSignal } from 'node:stream';
import { pipeAt } from './pipe.ts';
import { readBounded, readStream } from './read-bounded.ts';

/**
 * The whole file or pipe.
 * @throws the file system's error, or an error for a folder or a device.
 */
export async function readGiven(
  file: string,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Buffer | 'too_large'> {
  const pipe = await pipeAt(file);
  return pipe ? readStream(addAbortSignal(signal, pipe), bytesMax) : readBounded(file, bytesMax);
}

/** Opens a device too, such as /dev/stdin. */
export async function givenStream(file: string, signal: AbortSignal): Promise<Readable> {
  return (await pipeAt(file)) ?? createReadStream(file, { signal });
}

/**
 * Whether anyone but its owner may read, write or run the file.
 * @throws the file system's error.
 */
export async function isOpenToOthers(file: string): Promise<boolean> {
  const { mode } = await stat(file);
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}
