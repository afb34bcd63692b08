import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pseudonymsUnder } from './pseudonyms.ts';

test('[D9] a pseudonym is the HMAC-SHA-256 of the fingerprint under the key', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 64 }),
      fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), { minLength: 1, maxLength: 5 }),
      (key, fingerprints) => {
        const pseudonymOf = pseudonymsUnder(key);
        expect(fingerprints.map(pseudonymOf)).toEqual(
          fingerprints.map((each) => createHmac('sha256', key).update(each).digest('hex')),
        );
      },
    ),
  );
});

test('a key that is longer than a block is rejected', () => {
  expect(() => pseudonymsUnder(new Uint8Array(65))).toThrow(RangeError);
});
