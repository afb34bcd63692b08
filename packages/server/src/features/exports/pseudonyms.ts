/**
 * Fingerprints as one share shows them: HMAC-SHA-256 under a key of that share (RFC 2104). It is composed of two
 * digests, because the built-in HMAC creates an object for each call, which takes most of the time of a large
 * projection.
 */
import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const INNER = 0x36;
const OUTER = 0x5c;
const DIGEST_BYTES = 32;

/** @param key of at most 64 bytes. */
export function pseudonymsUnder(key: Uint8Array): (fingerprint: string) => string {
  if (key.length > BLOCK_BYTES) throw new RangeError('The key is longer than a block.');
  // Both buffers are reused for each fingerprint. Creating them again would double the time.
  let inner = padded(key, INNER);
  const outer = Buffer.concat([padded(key, OUTER)], BLOCK_BYTES + DIGEST_BYTES);
  return (fingerprint) => {
    const length = BLOCK_BYTES + Buffer.byteLength(fingerprint);
    if (inner.length < length) inner = Buffer.concat([inner], length);
    inner.write(fingerprint, BLOCK_BYTES);
    outer.write(hash('sha256', inner.subarray(0, length)), BLOCK_BYTES, 'hex');
    return hash('sha256', outer);
  };
}

function padded(key: Uint8Array, byte: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(key);
  return block.map((each) => each ^ byte) as Buffer;
}
