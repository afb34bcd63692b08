/**
 * Where report bodies and prepared projections are stored, outside the database. They are sealed first (see
 * sealing.ts), so a blob store never sees a readable report.
 *
 * A blob is written once and never changed. Its name is random, so that it reveals nothing and two writers never
 * collide.
 */
import type { Random } from '../random.ts';

export interface Blobs {
  /**
   * Stores the parts, concatenated, under a new name. Once resolved, the blob survives `kill -9` and a power cut. After
   * a failure, nothing remains under that name; only an object store that completed a write whose response was lost
   * keeps an orphan. A put that `kill -9` or a power cut interrupts may leave a part of the blob, as an orphan.
   *
   * The store may prepare while the parts are still being made, and settles after them. If they cannot be made, the put
   * fails with their error.
   */
  put(name: string, parts: BlobParts): Promise<void>;
  /**
   * The bytes under a name; null for an unknown name.
   * @throws BlobDamagedError when they are not what was stored. A store that cannot know this returns them.
   */
  get(name: string): Promise<Uint8Array | null>;
  /** Deletes permanently. Does nothing for an unknown name. */
  delete(name: string): Promise<void>;
  /** The names of blobs last written before a time, in milliseconds since 1970. */
  list(writtenBefore: number): AsyncIterable<string>;
  /** Throws when blobs cannot be written. */
  check(): Promise<void>;
}

export type BlobParts = readonly Uint8Array[] | Promise<readonly Uint8Array[]>;

/** A store with a mark that says which database it belongs to. */
export interface MarkedBlobs extends Blobs {
  readMark(): Promise<string | null>;
  /** Writes the mark unless there already is one, and returns the mark that the store then has. */
  writeMark(mark: string): Promise<string>;
}

/** The name of the mark, in the folder or under the prefix. */
export const MARK_FILE = '.deployment';

export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError';
}

const NAME_BYTES = 16;
const NAME = /^[0-9a-f]{32}$/;

export function newBlobName(random: Random): string {
  return Buffer.from(random.bytes(NAME_BYTES)).toString('hex');
}

export function isBlobName(text: string): boolean {
  return NAME.test(text);
}
