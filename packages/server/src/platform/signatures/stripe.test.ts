import { BILLING_SECRET, signatureOf } from '@svc/testkit/billing';
import { createFakeClock } from '@svc/testkit/clock';
import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { createStripeSignatures } from './stripe.ts';

const clock = createFakeClock();
const MINUTE_MS = 60_000;
const OTHER_SECRET = 'whsec_other';
const signatures = createStripeSignatures([BILLING_SECRET], clock);
const bytes = (text: string) => new TextEncoder().encode(text);
const isValid = (payload: string | Uint8Array, signature: string, of = signatures) =>
  of.isValid(typeof payload === 'string' ? bytes(payload) : payload, signature);
const signed = (payload: string | Uint8Array, at = clock.now(), secret = BILLING_SECRET) =>
  signatureOf(payload, { secret, at });

describe('signatures', () => {
  test('[D18] of any text are accepted, whether created here or by the library', () => {
    const timestamp = Math.floor(clock.now() / 1000);
    fc.assert(
      fc.property(anyText({ minLength: 1 }), (payload) => {
        expect(isValid(payload, signed(payload))).toBe(true);
        const made = Stripe.webhooks.generateTestHeaderString({ payload, secret: BILLING_SECRET, timestamp });
        expect(isValid(payload, made)).toBe(true);
      }),
    );
  });

  test('[T20] of other bytes are rejected, even when these are not text', () => {
    const payload = bytes('{"id":"evt_é"}');
    fc.assert(
      fc.property(fc.nat(payload.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const tampered = payload.map((byte, index) => (index === at ? byte ^ change : byte));
        expect(isValid(tampered, signed(payload))).toBe(false);
      }),
    );
    expect(isValid(Uint8Array.of(0xff), signed(Uint8Array.of(0xff)))).toBe(false);
    // A lenient decoder, which replaces or drops bytes, would read the payload and what was signed as the same text.
    expect(isValid(Uint8Array.of(0x61, 0xff), signed('a\ufffd'))).toBe(false);
    expect(isValid('\ufeffa', signed('a'))).toBe(false);
    expect(isValid('a', signed('\ufeffa'))).toBe(false);
  });

  test('[T20] may be at most five minutes old or ahead, by the clock of the service', () => {
    const at = (ms: number) => isValid('a', signed('a', clock.now() + ms));
    expect([-5 * MINUTE_MS, -MINUTE_MS, 0, MINUTE_MS, 5 * MINUTE_MS].map(at)).toEqual(Array(5).fill(true));
    expect([-5 * MINUTE_MS - 1000, 5 * MINUTE_MS + 1000, -1e12, 1e13].map(at)).toEqual(Array(4).fill(false));
  });

  test('[D18] with any of several secrets are accepted, and with no other', () => {
    const both = createStripeSignatures([BILLING_SECRET, OTHER_SECRET], clock);
    for (const secret of [BILLING_SECRET, OTHER_SECRET])
      expect(isValid('a', signed('a', clock.now(), secret), both)).toBe(true);
    for (const secret of ['', ' ', 'whsec_third', BILLING_SECRET.toUpperCase()])
      expect(isValid('a', signed('a', clock.now(), secret), both)).toBe(false);
  });

  test('[D18] may stand beside those of an old secret and of other schemes', () => {
    const [time = '', right = ''] = signed('a').split(',');
    const [, wrong = ''] = signed('a', clock.now(), OTHER_SECRET).split(',');
    expect(isValid('a', [time, wrong, right, 'v0=abc'].join(','))).toBe(true);
    expect(isValid('a', [time, wrong].join(','))).toBe(false);
    expect(isValid('a', [time, right.replace('v1', 'v0')].join(','))).toBe(false);
  });

  test('[T20] that are malformed are rejected', () => {
    const [time = '', right = ''] = signed('a').split(',');
    const odd = [
      '',
      ',',
      't=',
      't=,v1=',
      time,
      right,
      'v1',
      `${time},v1`,
      `${time},v1=`,
      `${right},${right}`,
    ];
    const times = [
      't=NaN',
      't=-1',
      't=1e9',
      't=',
      `${time}0000`,
      `${time}x`,
      `${time},${time}`,
      `${time}, ${time}`,
    ];
    for (const signature of [...odd, ...times.map((other) => `${other},${right}`)])
      expect(isValid('a', signature)).toBe(false);
    expect(isValid('', signed(''))).toBe(false);
    fc.assert(
      fc.property(anyText(), (signature) => {
        expect(isValid('a', signature)).toBe(false);
      }),
    );
  });
});
