/**
 * Compresses responses. Compression runs on the threads that also read files and hash passwords, so it uses at most
 * three of the four: one for short pages, one for long ones and one for files. Files take turns by report and by size.
 */
import { constants, brotliCompress, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { createCapacity } from '#platform/capacity';
import type { Coding } from '#prepared';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 5;
const LONG_BYTES_MIN = 1024 * 1024;

const shortPages = pLimit(1);
const longPages = pLimit(1);
/** The queue needs no limit: only finished renderings wait here, and their number is limited. */
const files = createCapacity(
  { unitsMax: 1, waitingMax: Infinity, waitingOfOneMax: Infinity },
  () => new Error('An unbounded capacity rejected a piece.'),
);

export interface ToCode {
  readonly reportId: string;
  readonly isFile: boolean;
  readonly bytes: Uint8Array;
}

export async function compressed(
  { reportId, isFile, bytes }: ToCode,
  coding: Exclude<Coding, 'identity'>,
): Promise<Uint8Array> {
  const compress = () => compressNow(bytes, coding);
  if (isFile) return files.run({ owner: reportId, cost: bytes.length }, compress);
  return (bytes.length < LONG_BYTES_MIN ? shortPages : longPages)(compress);
}

async function compressNow(bytes: Uint8Array, to: Exclude<Coding, 'identity'>): Promise<Uint8Array> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const coded = await (to === 'gzip' ? gzipped(bytes, { level: GZIP_LEVEL }) : brotli(bytes, { params }));
  // A short result lies in a much larger buffer, which would otherwise be retained with it.
  return new Uint8Array(coded);
}
