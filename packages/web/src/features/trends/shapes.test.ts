import { expect, test } from 'vitest';
import { areasOf, axisTop, placeOf, ticksOf } from './shapes.ts';

test.each([
  [0, 1],
  [1, 1],
  [3, 4],
  [10, 10],
  [11, 20],
  [45, 60],
  [51, 60],
  [5701, 6000],
])('the axis for %d ends at %d', (most, top) => {
  expect(axisTop(most)).toBe(top);
});

test('areas are stacked, the most severe at the bottom', () => {
  const day = (critical: number, low: number) => ({
    date: '2026-03-01',
    open: { critical, high: 0, medium: 0, low, info: 0 },
    opened: 0,
    fixed: 0,
    setAside: 0,
  });
  const [critical, , , low] = areasOf([day(5, 5), day(0, 10)], 10);
  expect(critical).toEqual({ severity: 'critical', points: '0,50 100,100 100,100 0,100' });
  expect(low).toEqual({ severity: 'low', points: '0,0 100,0 100,100 0,50' });
});

test.each([
  [0, []],
  [1, [0]],
  [3, [0, 1, 2]],
  [90, [0, 22, 45, 67, 89]],
])('the axis of %d days has labels from the first to the last day', (count, ticks) => {
  expect(ticksOf(count)).toEqual(ticks);
});

test('a position in the plot gives the nearest day, even beyond the edges', () => {
  expect([-0.1, 0, 0.49, 0.51, 1, 1.2].map((position) => placeOf(position, 2))).toEqual([0, 0, 0, 1, 1, 1]);
});
