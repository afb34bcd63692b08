import { expect, test } from 'vitest';
import { interleave, medianOf, ratios } from './rounds.ts';

test('two measurements alternate, and the first round of each is discarded', async () => {
  const order: string[] = [];
  const turn = (name: string) => () => {
    order.push(name);
    return Promise.resolve(order.length);
  };
  const compared = await interleave(2, turn('a'), turn('b'));
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
  expect(compared).toEqual({ a: [3, 5], b: [4, 6] });
});

test('a ratio compares adjacent measurements', () => {
  const compared = { a: [1, 20, 3], b: [2, 40, 2] };
  expect(ratios(compared, (value) => value)).toEqual([0.5, 0.5, 1.5]);
  expect(medianOf(compared.a, (value) => value)).toBe(3);
});
