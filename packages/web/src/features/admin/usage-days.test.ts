import { analyticsNames } from '@svc/contract/enums';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { usageOf } from './usage-days.ts';

const NOW = new Date('2026-03-02T00:30:00Z');

test('[D13] the usage table ends today and has a count for each day', () => {
  const counts = [
    { day: '2026-02-28', name: 'report_viewed', count: 2 },
    { day: '2026-03-02', name: 'report_viewed', count: 3 },
    { day: '2026-03-02', name: 'report_viewed', count: 4 },
  ] as const;
  const { days, rows } = usageOf(counts, NOW, 3);
  expect(days).toEqual(['2026-02-28', '2026-03-01', '2026-03-02']);
  expect(rows.find(({ name }) => name === 'report_viewed')).toEqual({
    name: 'report_viewed',
    total: 9,
    perDay: [2, 0, 7],
  });
});

test('[D13] the usage table includes the newest day of a service that is a day ahead', () => {
  const { days } = usageOf([{ day: '2026-03-03', name: 'cli_linked', count: 1 }], NOW, 2);
  expect(days).toEqual(['2026-03-02', '2026-03-03']);
});

test('[D13] the usage table includes each count within its days exactly once', () => {
  const day = fc.date({ min: new Date('2026-02-01'), max: NOW, noInvalidDate: true });
  const count = fc.record({
    day: day.map((time) => time.toISOString().slice(0, 10)),
    name: fc.constantFrom(...analyticsNames),
    count: fc.integer({ min: 1, max: 1_000_000 }),
  });
  fc.assert(
    fc.property(fc.array(count), fc.integer({ min: 1, max: 40 }), (counts, length) => {
      const { days, rows } = usageOf(counts, NOW, length);
      const within = counts.filter((each) => each.day >= (days[0] ?? ''));
      expect(rows.map(({ name }) => name)).toEqual(analyticsNames);
      expect(rows.every(({ perDay }) => perDay.length === length)).toBe(true);
      const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
      expect(sum(rows.flatMap(({ perDay }) => perDay))).toBe(sum(within.map((each) => each.count)));
      expect(sum(rows.map(({ total }) => total))).toBe(sum(within.map((each) => each.count)));
    }),
  );
});
