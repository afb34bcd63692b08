/** The verifier: a secret that stays with the device, of which the service knows the hash. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** The hash as bytes; it comes in hexadecimal or base64url. */
export function verifierHashBytes(text: string): Uint8Array {
  return Buffer.from(text, text.length === 64 ? 'hex' : 'base64url');
}

export function isVerifierOf(verifier: string, hash: Uint8Array): boolean {
  return timingSafeEqual(createHash('sha256').update(verifier.normalize('NFC'), 'utf8').digest(), hash);
}
