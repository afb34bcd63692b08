import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfParts } from './bytes-of-parts.ts';

test('[P12] the parts are the same bytes as the whole text', () => {
  const part = fc.oneof(
    anyText(),
    fc.nat(70_000).map((length) => 'é'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      expect(bytesOfParts(parts).equals(Buffer.from(parts.join('')))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('[P4] a short result has a buffer of its own, which can be transferred to another thread', () => {
  expect(bytesOfParts(['a', 'b']).buffer.byteLength).toBe(2);
});
