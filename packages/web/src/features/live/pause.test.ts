import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pauseMs } from './pause.ts';

test('delays never shrink with more failures, are at most 30 seconds, and have jitter', () => {
  fc.assert(
    fc.property(fc.nat({ max: 50 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, chance) => {
      const [least, most] = [pauseMs(failures, () => 0), pauseMs(failures, () => 1)];
      expect(pauseMs(failures, () => chance)).toBeGreaterThanOrEqual(least);
      expect(pauseMs(failures, () => chance)).toBeLessThanOrEqual(most);
      expect(most).toBe(least * 2);
      expect(most).toBeLessThanOrEqual(30_000);
      expect(pauseMs(failures + 1, () => chance)).toBeGreaterThanOrEqual(pauseMs(failures, () => chance));
    }),
  );
});
