import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isActive } from './policy.ts';
import { ENDED_KEPT_MAX, LETTERS_MAX, roomAmong, type Weighed } from './room.ts';

const NOW = Date.UTC(2026, 0, 2);

const times = fc.option(fc.constantFrom(NOW - 1, NOW, NOW + 1), { nil: null });
const links = fc
  .array(
    fc.record({
      revokedAt: fc.option(fc.constant(NOW - 1), { nil: null }),
      expiresAt: times,
      letters: fc.integer({ min: 0, max: LETTERS_MAX / 2 }),
    }),
    { maxLength: 30 },
  )
  .map((each) => each.map((link, at): Weighed => ({ ...link, id: `shr_${at}` })));

const lettersOf = (some: readonly Weighed[]) => some.reduce((sum, { letters }) => sum + letters, 0);

describe('the room for links to a report', () => {
  test('[D10] of links that fit together all are kept', () => {
    fc.assert(
      fc.property(links, (all) => {
        fc.pre(lettersOf(all) <= LETTERS_MAX);
        expect(roomAmong(all, NOW)).toEqual({ forgotten: [], isEnough: true });
      }),
    );
  });

  test('[T14] links that have ended go, the oldest first and no more of them than must; those that work stay', () => {
    fc.assert(
      fc.property(links, (all) => {
        const { forgotten, isEnough } = roomAmong(all, NOW);
        const ended = all.filter((link) => !isActive(link, NOW));
        expect(forgotten).toEqual(ended.slice(0, forgotten.length).map(({ id }) => id));
        const left = all.filter(({ id }) => !forgotten.includes(id));
        expect(isEnough).toBe(lettersOf(left) <= LETTERS_MAX);
        const withLast = all.filter(({ id }) => !forgotten.slice(0, -1).includes(id));
        expect(forgotten.length === 0 || lettersOf(withLast) > LETTERS_MAX).toBe(true);
        expect(isEnough || forgotten.length === ended.length).toBe(true);
      }),
    );
  });

  test('[T14] of small ones that have ended so many are kept, and the oldest go', () => {
    const many = Array.from({ length: ENDED_KEPT_MAX + 2 }, (_, at): Weighed => ({
      id: `shr_${at}`,
      revokedAt: NOW,
      expiresAt: null,
      letters: 10,
    }));
    expect(roomAmong(many, NOW)).toEqual({ forgotten: ['shr_0', 'shr_1'], isEnough: true });
  });
});
