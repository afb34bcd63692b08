/**
 * Sealing: AES-256-GCM with the key, and a context that has to be the same when it is opened.
 *
 * A sealed thing is a version byte, a random nonce, the cipher text and the tag. The context (what the bytes are and whose)
 * is authenticated and not kept: whoever puts one sealed thing in the place of another is found out when it is opened.
 * Opening says no more than that it failed: a wrong key, another context and a changed byte look the same.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from './random.ts';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;
const HEAD_BYTES = 1 + NONCE_BYTES;
const ALGORITHM = 'aes-256-gcm';

/** What no key and context open: damaged, put in another's place, or of a version that is not known. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

/**
 * The parts of the sealed thing, to be kept one after the other; they are not joined, since the cipher text can be large.
 * @param context texts that name what is sealed; each counts for itself, so that none can be moved into its neighbour.
 */
export function seal(
  key: Uint8Array,
  context: readonly string[],
  plain: Uint8Array,
  random: Random,
): [head: Uint8Array, cipherText: Uint8Array, tag: Uint8Array] {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(aadOf(context));
  const cipherText = cipher.update(plain);
  cipher.final();
  return [Uint8Array.of(VERSION, ...nonce), cipherText, cipher.getAuthTag()];
}

/** @throws SealBrokenError */
export function unseal(key: Uint8Array, context: readonly string[], sealed: Uint8Array): Uint8Array {
  if (sealed.length < HEAD_BYTES + TAG_BYTES || sealed[0] !== VERSION)
    throw new SealBrokenError('It was not sealed by this service.');
  const tagAt = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(1, HEAD_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(aadOf(context))
    .setAuthTag(sealed.subarray(tagAt));
  const plain = decipher.update(sealed.subarray(HEAD_BYTES, tagAt));
  try {
    decipher.final();
  } catch (cause) {
    plain.fill(0);
    throw new SealBrokenError('It is damaged, or not what it is taken for.', { cause });
  }
  return plain;
}

function aadOf(context: readonly string[]): Uint8Array {
  return Buffer.from(JSON.stringify(context));
}

/** A key for one purpose, made from the master key: what is done with it says nothing about any other. */
export function deriveKey(masterKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', masterKey, '', purpose, KEY_BYTES));
}
