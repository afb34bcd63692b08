import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linkState, sanitized } from './policy.ts';

const time = fc.integer({ min: 0, max: 4_102_444_800_000 });
const facts = fc.record({
  expiresAt: time,
  approvedBy: fc.option(fc.constant('usr_1')),
  deniedAt: fc.option(time),
  consumedAt: fc.option(time),
});

describe('the state of a link', () => {
  test('[D4] is "consumed" forever after the exchange', () => {
    fc.assert(
      fc.property(facts, time, time, (link, consumedAt, now) => {
        expect(linkState({ ...link, consumedAt }, now)).toBe('consumed');
      }),
    );
  });

  test('[D4] is expired from its expiry on, and not before, unless it was used', () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: 0, max: 10_000_000 }), (link, later) => {
        const unused = { ...link, consumedAt: null };
        expect(linkState(unused, link.expiresAt + later)).toBe('expired');
        expect(linkState(unused, link.expiresAt - later - 1)).not.toBe('expired');
      }),
    );
  });
});

describe('the description of a device', () => {
  const anything = anyText({ maxLength: 500 });

  test('[D4] is stored with 1 to 80 characters, none of them hidden, and no white space at its ends', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const kept = sanitized(text);
        expect(kept.length).toBeGreaterThan(0);
        expect([...kept].length).toBeLessThanOrEqual(80);
        expect(kept).toBe(kept.trim());
        expect(kept).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
        expect(kept.isWellFormed()).toBe(true);
      }),
    );
  });

  test('[D4] is not changed by a second sanitization', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(sanitized(sanitized(text))).toBe(sanitized(text));
      }),
    );
  });
});
