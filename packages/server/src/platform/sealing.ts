/**
 * Sealing: AES-256-GCM with a key, and a context that must be the same for opening.
 *
 * A sealed value is a version byte, a random nonce, the cipher text and the tag. The context (what the bytes are and
 * whose) is authenticated and not stored, so opening detects a sealed value in the place of another. A failure has no
 * details: a wrong key, another context and a changed byte look the same.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync } from 'node:crypto';
import { freeBytes } from './free-bytes.ts';
import type { Random } from './random.ts';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;
const HEAD_BYTES = 1 + NONCE_BYTES;
/** Small enough that the allocator has the memory ready. */
const IN_PLACE_BYTES = 64 * 1024;
const ALGORITHM = 'aes-256-gcm';

export type Sealed = [head: Uint8Array, cipherText: Uint8Array, tag: Uint8Array];

/** The sealed value cannot be opened: another key or context, damage, or an unknown version. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

/**
 * The parts of the sealed value, to be stored one after the other. They are not joined, because the cipher text can be
 * large.
 * @param context texts that name the sealed value; each is delimited, so that no character can move to the next.
 */
export function seal(key: Uint8Array, context: readonly string[], plain: Uint8Array, random: Random): Sealed {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, createSecretKey(key), nonce).setAAD(aadOf(context));
  const cipherText = cipher.update(plain);
  cipher.final();
  return [headOf(nonce), cipherText, cipher.getAuthTag()];
}

/** Everything needed for sealing except the bytes, for another thread. Must be used for one value only. */
export interface Sealing {
  readonly key: Uint8Array;
  readonly context: readonly string[];
  readonly nonce: Uint8Array;
}

export function prepareSealing(key: Uint8Array, context: readonly string[], random: Random): Sealing {
  return { key, context, nonce: random.bytes(NONCE_BYTES) };
}

/**
 * Seals as `seal` does, and overwrites the bytes with the cipher text: allocating as much memory again would take
 * longer than encrypting.
 */
export function sealInPlace({ key, context, nonce }: Sealing, bytes: Uint8Array<ArrayBuffer>): Sealed {
  const cipher = createCipheriv(ALGORITHM, createSecretKey(key), nonce).setAAD(aadOf(context));
  for (let at = 0; at < bytes.length; at += IN_PLACE_BYTES) {
    const part = cipher.update(bytes.subarray(at, at + IN_PLACE_BYTES));
    bytes.set(part, at);
    freeBytes(part);
  }
  cipher.final();
  return [headOf(nonce), bytes, cipher.getAuthTag()];
}

const headOf = (nonce: Uint8Array) => Uint8Array.of(VERSION, ...nonce);

/** @throws SealBrokenError */
export function unseal(key: Uint8Array, context: readonly string[], sealed: Uint8Array): Uint8Array {
  if (sealed.length < HEAD_BYTES + TAG_BYTES || sealed[0] !== VERSION)
    throw new SealBrokenError('It was not sealed by this service.');
  const tagAt = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, createSecretKey(key), sealed.subarray(1, HEAD_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(aadOf(context))
    .setAuthTag(sealed.subarray(tagAt));
  const plain = decipher.update(sealed.subarray(HEAD_BYTES, tagAt));
  try {
    decipher.final();
  } catch (cause) {
    plain.fill(0);
    throw new SealBrokenError('It is damaged, or belongs to something else.', { cause });
  }
  return plain;
}

function aadOf(context: readonly string[]): Uint8Array {
  return Buffer.from(JSON.stringify(context));
}

/** A key for one purpose, derived from the master key. Its use reveals nothing about keys for other purposes. */
export function deriveKey(masterKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', createSecretKey(masterKey), '', purpose, KEY_BYTES));
}
