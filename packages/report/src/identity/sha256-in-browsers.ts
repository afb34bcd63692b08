/**
 * SHA-256 for browsers. The function that browsers have is asynchronous, which would make every identity asynchronous.
 * This file replaces sha256.ts where the bundler resolves `#sha256` for a browser.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** @param given text is hashed as UTF-8 */
export function sha256Hex(given: string | Uint8Array): string {
  return bytesToHex(digestOf(given));
}

const SHORT_BYTES = 12;

/** 96 bits of a SHA-256, one byte per character. */
export function shortHash(text: string): string {
  return String.fromCharCode(...digestOf(text).subarray(0, SHORT_BYTES));
}

function digestOf(given: string | Uint8Array): Uint8Array {
  return sha256(typeof given === 'string' ? utf8ToBytes(given) : given);
}
