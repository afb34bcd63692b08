import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isActive } from './policy.ts';
import { ENDED_KEPT_MAX, CHARACTERS_MAX, roomAmong, type Weighed } from './room.ts';

const NOW = Date.UTC(2026, 0, 2);

const times = fc.option(fc.constantFrom(NOW - 1, NOW, NOW + 1), { nil: null });
const links = fc
  .array(
    fc.record({
      revokedAt: fc.option(fc.constant(NOW - 1), { nil: null }),
      expiresAt: times,
      characters: fc.integer({ min: 0, max: CHARACTERS_MAX / 2 }),
    }),
    { maxLength: 30 },
  )
  .map((each) => each.map((link, at): Weighed => ({ ...link, id: `shr_${at}` })));

const charactersOf = (some: readonly Weighed[]) => some.reduce((sum, { characters }) => sum + characters, 0);

describe('the size of the shares of a report', () => {
  test('[D10] within the limit all shares are kept', () => {
    fc.assert(
      fc.property(links, (all) => {
        fc.pre(charactersOf(all) <= CHARACTERS_MAX);
        expect(roomAmong(all, NOW)).toEqual({ forgotten: [], isEnough: true });
      }),
    );
  });

  test('[T14] over the limit ended shares are deleted, the oldest first and only as many as needed; active ones stay', () => {
    fc.assert(
      fc.property(links, (all) => {
        const { forgotten, isEnough } = roomAmong(all, NOW);
        const ended = all.filter((link) => !isActive(link, NOW));
        expect(forgotten).toEqual(ended.slice(0, forgotten.length).map(({ id }) => id));
        const left = all.filter(({ id }) => !forgotten.includes(id));
        expect(isEnough).toBe(charactersOf(left) <= CHARACTERS_MAX);
        const withLast = all.filter(({ id }) => !forgotten.slice(0, -1).includes(id));
        expect(forgotten.length === 0 || charactersOf(withLast) > CHARACTERS_MAX).toBe(true);
        expect(isEnough || forgotten.length === ended.length).toBe(true);
      }),
    );
  });

  test('[T14] of small ended shares a fixed number is kept, and the oldest are deleted', () => {
    const many = Array.from({ length: ENDED_KEPT_MAX + 2 }, (_, at): Weighed => ({
      id: `shr_${at}`,
      revokedAt: NOW,
      expiresAt: null,
      characters: 10,
    }));
    expect(roomAmong(many, NOW)).toEqual({ forgotten: ['shr_0', 'shr_1'], isEnough: true });
  });
});
