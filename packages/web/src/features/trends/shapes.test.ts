import { expect, test } from 'vitest';
import { areasOf, axisTop } from './shapes.ts';

test.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [10, 10],
  [11, 20],
  [45, 50],
  [51, 100],
  [5701, 10_000],
])('the axis for %d ends at %d', (most, top) => {
  expect(axisTop(most)).toBe(top);
});

test('areas lie on each other, the most severe at the bottom', () => {
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
