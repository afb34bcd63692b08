import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hmacSha256Under } from './sha256.ts';

test('HMACs equal those of OpenSSL for any key and texts', () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.array(bytes, { maxLength: 5 }), (key, texts) => {
      const hmac = hmacSha256Under(key);
      const ours = texts.map((text) => hmac(text));
      const theirs = texts.map((text) => createHmac('sha256', key).update(text).digest());
      expect(ours).toEqual(theirs);
    }),
  );
  expect(() => hmacSha256Under(new Uint8Array(65))).toThrow(RangeError);
});
