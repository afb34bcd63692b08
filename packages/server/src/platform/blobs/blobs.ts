/**
 * Where report bodies are kept, outside the database. What is given to it is sealed already (see sealing.ts): a store of
 * blobs never sees the text of a report.
 *
 * A blob is written once and never changed. Its name is made here, at random, so that it says nothing and no two writers
 * ever meet.
 */
import type { Random } from '../random.ts';

export interface Blobs {
  /**
   * Keeps the parts, one after the other, under a name that was not used before. When it has resolved they survive
   * `kill -9` and a power cut; when it has failed nothing is left of them under that name.
   */
  put(name: string, parts: readonly Uint8Array[]): Promise<void>;
  /** The bytes under a name; null when there are none. */
  get(name: string): Promise<Uint8Array | null>;
  /** Deletes for good; a name that is not there is fine. */
  delete(name: string): Promise<void>;
  /** The names of blobs last written before a moment, in milliseconds since 1970 by the store's own clock. */
  list(writtenBefore: number): AsyncIterable<string>;
  /** Removes what puts that were cut short before that moment have left. */
  tidy(begunBefore: number): Promise<void>;
  /** Throws when nothing can be written. */
  check(): Promise<void>;
}

const NAME_BYTES = 16;
const NAME = /^[0-9a-f]{32}$/;

export function newBlobName(random: Random): string {
  return Buffer.from(random.bytes(NAME_BYTES)).toString('hex');
}

export function isBlobName(text: string): boolean {
  return NAME.test(text);
}
