/** Signatures as Stripe makes them, verified by Stripe's own library; of the network it has no use here. */
import { Stripe } from 'stripe';
import type { Clock } from '../clock.ts';
import type { EventSignatures } from './signatures.ts';

const TOLERANCE_SECONDS = 5 * 60;

/** The library would take a byte that is no UTF-8 for any other such byte, and leave out a mark at the beginning. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function createStripeSignatures(secrets: readonly string[], clock: Clock): EventSignatures {
  const { signature: library } = Stripe.webhooks;
  if (!library) throw new TypeError('The library of Stripe verifies no signatures.');
  const crypto = Stripe.createNodeCryptoProvider();

  function isBy(secret: string, payload: string, signature: string, now: number): boolean {
    try {
      return library?.verifyHeader(payload, signature, secret, TOLERANCE_SECONDS, crypto, now) === true;
    } catch {
      // A signature that does not fit, and whatever the library can not read as one.
      return false;
    }
  }

  return {
    isValid(bytes, signature) {
      const now = clock.now();
      const payload = textOf(bytes);
      const signedAt = timeIn(signature);
      if (payload === null || signedAt === null) return false;
      // The library asks only how old it is.
      if (signedAt - Math.floor(now / 1000) > TOLERANCE_SECONDS) return false;
      return secrets.some((secret) => isBy(secret, payload, signature, now));
    },
  };
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** In seconds; null when there is none, or more than one. */
function timeIn(signature: string): number | null {
  const [time, ...more] = signature.split(',').filter((part) => part.trim().startsWith('t='));
  return time !== undefined && more.length === 0 && /^t=\d{1,12}$/.test(time) ? Number(time.slice(2)) : null;
}
