import { expect, test } from 'vitest';
import { hasBit, packedBits, PREPARED_MAX, rowsToChange } from './policy.ts';

test('rows are added for policies in use and deleted for others', () => {
  expect(rowsToChange(['a', 'b', 'a'], ['b', 'c'])).toEqual({ added: ['a'], released: ['c'] });
});

test('[D24] at most 32 projections of a report are prepared, those of the oldest shares first', () => {
  const used = Array.from({ length: 40 }, (_, index) => `policy ${index}`);
  expect(rowsToChange(used, []).added).toEqual(used.slice(0, PREPARED_MAX));
  expect(rowsToChange(used, used.slice(8, 40))).toEqual({ added: [], released: [] });
  expect(rowsToChange(used, [...used.slice(9, 40), 'gone'])).toEqual({
    added: ['policy 0'],
    released: ['gone'],
  });
});

test('each item has its own bit', () => {
  const items = Array.from({ length: 21 }, (_, index) => index);
  const bits = packedBits(items, (item) => item % 3 === 0);
  expect(items.filter((item) => hasBit(bits, item))).toEqual([0, 3, 6, 9, 12, 15, 18]);
  expect(hasBit(bits, 1000)).toBe(false);
});
