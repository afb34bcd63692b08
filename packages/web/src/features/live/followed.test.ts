import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastNumber, nothingYet, withEvents, type Followed, type Numbered } from './followed.ts';

const numbered = (number: number): Numbered => ({
  number,
  event: {
    eventId: `event-${number}`,
    reportId: 'rep_1',
    type: 'heartbeat',
    occurredAt: '2026-03-04T05:06:07.000Z',
  },
});
const range = (after: number, last: number) =>
  Array.from({ length: Math.max(0, last - after) }, (_, index) => numbered(after + index + 1));

test('known events do not change the state', () => {
  const known = { ...nothingYet, events: range(0, 5) };
  expect(withEvents(known, 2, range(2, 4))).toBe(known);
});

test('withEvents returns null for a gap and adds nothing', () => {
  const known = { ...nothingYet, events: range(0, 5) };
  expect(withEvents(known, 6, range(6, 8))).toBeNull();
});

test('events in any batches and any order are stored once, in order and without a gap', () => {
  const pieces = fc.array(
    fc
      .tuple(fc.nat({ max: 30 }), fc.nat({ max: 10 }))
      .map(([after, length]) => ({ after, last: after + length })),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(pieces, (given) => {
      let known: Followed = nothingYet;
      for (const { after, last } of given) {
        const before = lastNumber(known);
        known = withEvents(known, after, range(after, last)) ?? known;
        expect(lastNumber(known)).toBe(after > before ? before : Math.max(before, last));
      }
      expect(known.events).toEqual(range(0, lastNumber(known)));
    }),
  );
});
