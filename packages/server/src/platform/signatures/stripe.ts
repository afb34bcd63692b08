/** Verifies Stripe's signatures with Stripe's own library, which does not use the network for this. */
import { Stripe } from 'stripe';
import type { Clock } from '../clock.ts';
import type { EventSignatures } from './signatures.ts';
import { strictUtf8 } from '../encoding.ts';

const TOLERANCE_SECONDS = 5 * 60;

export function createStripeSignatures(secrets: readonly string[], clock: Clock): EventSignatures {
  const { signature: library } = Stripe.webhooks;
  if (!library) throw new TypeError("Stripe's library cannot verify signatures.");
  const crypto = Stripe.createNodeCryptoProvider();

  function isBy(secret: string, payload: string, signature: string, now: number): boolean {
    try {
      return library?.verifyHeader(payload, signature, secret, TOLERANCE_SECONDS, crypto, now) === true;
    } catch {
      // The signature does not match, or the library cannot parse it.
      return false;
    }
  }

  return {
    isValid(bytes, signature) {
      const now = clock.now();
      const payload = textOf(bytes);
      const signedAt = timeIn(signature);
      if (payload === null || signedAt === null) return false;
      // The library rejects signatures that are too old, but not those from the future.
      if (signedAt - Math.floor(now / 1000) > TOLERANCE_SECONDS) return false;
      return secrets.some((secret) => isBy(secret, payload, signature, now));
    },
  };
}

/** Strict, because the library would treat all invalid UTF-8 alike, and drop a byte order mark. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return strictUtf8(bytes);
  } catch {
    return null;
  }
}

/** The time in seconds; null when there is none, or more than one. */
function timeIn(signature: string): number | null {
  const [time, ...more] = signature.split(',').filter((part) => part.trim().startsWith('t='));
  return time !== undefined && more.length === 0 && /^t=\d{1,12}$/.test(time) ? Number(time.slice(2)) : null;
}
