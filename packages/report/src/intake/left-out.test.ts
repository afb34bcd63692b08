import { expect, test } from 'vitest';
import { countSeverities, leftOutSentence } from './left-out.ts';

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

test.each([
  [{ ...none, high: 1200, low: 38_800 }, '40,000 results left out, 1,200 of them high, 38,800 low: no room.'],
  [{ ...none, info: 2 }, '2 results left out, all of them info: no room.'],
  [{ ...none, critical: 1 }, '1 result left out, of severity critical: no room.'],
])('what is left out is reported by severity: %j', (counts, sentence) => {
  expect(leftOutSentence(counts, 'result', 'no room')).toBe(sentence);
});

test('severities are counted', () => {
  expect(countSeverities([{ severity: 'low' }, { severity: 'high' }, { severity: 'low' }])).toEqual({
    ...none,
    high: 1,
    low: 2,
  });
});
