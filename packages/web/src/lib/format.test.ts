import { DAY_MS, HOUR_MS, SECOND_MS } from '@svc/contract/durations';
import { expect, test } from 'vitest';
import { clockOrDay, clockTimeWithZone, exactTime, relativeTime, zoneAt } from './format.ts';

const now = new Date('2026-06-03T14:00:00Z');

test.each([
  [-30 * SECOND_MS, 'just now'],
  [-90 * SECOND_MS, '1 minute ago'],
  [-119 * SECOND_MS, '1 minute ago'],
  [-13 * DAY_MS, 'last week'],
  [-20 * DAY_MS, '2 weeks ago'],
  [7 * DAY_MS - 5 * SECOND_MS, 'in 7 days'],
  [21 * DAY_MS - 5 * SECOND_MS, 'in 21 days'],
  [30 * DAY_MS - HOUR_MS, 'in 30 days'],
  [23 * HOUR_MS, 'in 23 hours'],
  [400 * DAY_MS, 'next year'],
])('a time %i ms away is %j', (awayMs, words) => {
  expect(relativeTime(new Date(now.getTime() + awayMs), now)).toBe(words);
});

test('an exact time names its time zone', () => {
  expect(exactTime(now)).toMatch(/^3 June 2026, \d\d:\d\d \S+$/);
  expect(exactTime(now)).toBe(`3 June 2026, ${clockTimeWithZone(now)}`);
  expect(clockTimeWithZone(now)).toMatch(new RegExp(`^\\d\\d:\\d\\d ${zoneAt(now)}$`));
});

test('a time of today is shown by the clock, and another one by its day', () => {
  expect(clockOrDay(now, now)).toMatch(/^\d\d:\d\d$/);
  expect(clockOrDay(new Date(now.getTime() - 2 * DAY_MS), now)).toBe('1 Jun 2026');
});
