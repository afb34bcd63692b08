/**
 * Fingerprints as one share tells them: HMAC-SHA-256 under a key of that share (RFC 2104). It is put together from two
 * digests, since the system's own HMAC makes an object for each call and takes most of the time of a large projection.
 */
import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const INNER = 0x36;
const OUTER = 0x5c;
const DIGEST_BYTES = 32;

/** @param key of at most 64 bytes. */
export function pseudonymsUnder(key: Uint8Array): (fingerprint: string) => string {
  if (key.length > BLOCK_BYTES) throw new RangeError('The key is longer than a block.');
  const inner = padded(key, INNER);
  const outer = Buffer.concat([padded(key, OUTER), Buffer.alloc(DIGEST_BYTES)]);
  return (fingerprint) => {
    hash('sha256', Buffer.concat([inner, Buffer.from(fingerprint)]), 'buffer').copy(outer, BLOCK_BYTES);
    return hash('sha256', outer, 'hex');
  };
}

function padded(key: Uint8Array, byte: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(key);
  return block.map((each) => each ^ byte) as Buffer;
}
