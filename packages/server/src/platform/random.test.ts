import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemRandom } from './random.ts';

test('bytes of any sequence of sizes have the requested length, and never repeat others', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 16, max: 5000 }), { minLength: 2, maxLength: 20 }), (counts) => {
      const answers = counts.map((count) => systemRandom.bytes(count));
      expect(answers.map(({ length }) => length)).toEqual(counts);
      const beginnings = answers.map((bytes) => Buffer.from(bytes.subarray(0, 16)).toString('hex'));
      expect(new Set(beginnings).size).toBe(counts.length);
      expect(beginnings).not.toContain('0'.repeat(32));
    }),
  );
});

test('returned bytes belong to the caller: changing them changes no others', () => {
  const first = systemRandom.bytes(32);
  const copy = Uint8Array.from(first);
  systemRandom.bytes(32).fill(0);
  expect(first).toEqual(copy);
});
