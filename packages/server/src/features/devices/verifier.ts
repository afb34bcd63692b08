/** The verifier: a secret that the device keeps. The service stores its hash. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** The hash as bytes; the request has it in hexadecimal or base64url. */
export function verifierHashBytes(text: string): Uint8Array {
  return Buffer.from(text, text.length === 64 ? 'hex' : 'base64url');
}

export function isVerifierOf(verifier: string, hash: Uint8Array): boolean {
  return timingSafeEqual(createHash('sha256').update(verifier.normalize('NFC'), 'utf8').digest(), hash);
}
