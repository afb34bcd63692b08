import { describe, expect, test } from 'vitest';
import { daysUpTo, timeToFixOf, trendOf, type ProjectDay } from './trends-policy.ts';

const NOON = Date.parse('2026-03-02T12:00:00Z');
const open = (high: number, low = 0) => ({ critical: 0, high, medium: 0, low, info: 0 });
const day = (projectId: string, date: string, change: Partial<ProjectDay>): ProjectDay => ({
  projectId,
  day: date,
  ...open(0),
  opened: 0,
  fixed: 0,
  setAside: 0,
  ...change,
});

describe('[D21] trends', () => {
  test('have a day for each date up to today, across the end of a month', () => {
    expect(daysUpTo(NOON, 4)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  });

  test('add projects up, repeat the last state on quiet days, and end with the state now', () => {
    const rows = [
      day('a', '2026-02-01', { ...open(5), opened: 5 }),
      day('a', '2026-03-01', { ...open(3), fixed: 2 }),
      day('b', '2026-02-28', { ...open(0, 4), opened: 4 }),
      day('b', '2026-03-02', { ...open(0, 3), setAside: 1 }),
    ];
    const now = [open(3), open(0, 4)];
    expect(trendOf(daysUpTo(NOON, 4), rows, now)).toEqual([
      { date: '2026-02-27', open: open(5), opened: 0, fixed: 0, setAside: 0 },
      { date: '2026-02-28', open: open(5, 4), opened: 4, fixed: 0, setAside: 0 },
      { date: '2026-03-01', open: open(3, 4), opened: 0, fixed: 2, setAside: 0 },
      { date: '2026-03-02', open: open(3, 4), opened: 0, fixed: 0, setAside: 1 },
    ]);
  });

  test('are zeros before the first report', () => {
    const [first] = trendOf(daysUpTo(NOON, 30), [], []);
    expect(first).toEqual({ date: '2026-02-01', open: open(0), opened: 0, fixed: 0, setAside: 0 });
  });
});

describe('[D21] the time to fix', () => {
  const fixes = (severity: 'high' | 'low', ...seconds: readonly number[]) =>
    seconds.map((took) => ({ severity, firstSeenAt: NOON, fixedAt: NOON + took * 1000 }));

  test('is the median and the 90th percentile by severity, in seconds', () => {
    const { high, low, info } = timeToFixOf([
      ...fixes('high', 10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
      ...fixes('low', 30, 10, 20),
    ]);
    expect(high).toEqual({ median: 5.5, p90: 9, n: 10 });
    expect(low).toEqual({ median: 20, p90: 30, n: 3 });
    expect(info).toEqual({ median: null, p90: null, n: 0 });
  });

  test('is never negative', () => {
    expect(timeToFixOf(fixes('low', -5)).low).toEqual({ median: 0, p90: 0, n: 1 });
  });
});
