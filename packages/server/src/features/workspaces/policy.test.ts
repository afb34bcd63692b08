import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { departure } from './policy.ts';

const membership = fc.record({
  userId: fc.stringMatching(/^[a-f]$/),
  role: fc.constantFrom('owner' as const, 'member' as const),
});
const members = fc.uniqueArray(membership, { minLength: 1, selector: ({ userId }) => userId });

describe('leaving a workspace', () => {
  test('[D5] is never allowed when members would remain without an owner', () => {
    fc.assert(
      fc.property(members, fc.nat(), (all, index) => {
        const leaving = all[index % all.length]?.userId ?? '';
        const others = all.filter(({ userId }) => userId !== leaving);
        const owners = others.filter(({ role }) => role === 'owner');
        const expected = others.length === 0 ? 'last-member' : owners.length === 0 ? 'last-owner' : 'allowed';
        expect(departure(all, leaving)).toBe(expected);
      }),
    );
  });
});
