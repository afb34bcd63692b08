/** Time limits and clocks of checks. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StartError } from '#start-error';
import { clockFound, examine, ok } from './check.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const reasonOf = () => 'a reason without a password';

test('a check that does not end is a fault after fifteen seconds', async () => {
  const never = new Promise<never>(() => undefined);
  const found = examine('disk', () => never, reasonOf);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await found).toEqual([{ check: 'disk', status: 'fault', text: 'No result after 15 seconds.' }]);
});

test('a check that fails is a fault, and each line of an error for operators is one, too', async () => {
  const failing = (given: Error) => examine('files', () => Promise.reject(given), reasonOf);
  expect(await failing(new Error('user:password@host'))).toEqual([
    {
      check: 'files',
      status: 'fault',
      text: 'The check failed (a reason without a password). Fix the cause, and run doctor again.',
    },
  ]);
  expect((await failing(new StartError(['one', 'two']))).map(({ text }) => text)).toEqual(['one', 'two']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a result has the name of its check', async () => {
  expect(await examine('node', () => [ok('fine')], reasonOf)).toEqual([
    { check: 'node', status: 'ok', text: 'fine' },
  ]);
});

test.each([
  [0, 'ok', ''],
  [1900, 'ok', ''],
  [-1900, 'ok', ''],
  [3000, 'warning', '3 s ahead of'],
  [-3000, 'warning', '3 s behind'],
  [61_000, 'fault', '61 s ahead of'],
  [-61_000, 'fault', '61 s behind'],
])('a clock that differs by %i ms is %s', (difference, status, text) => {
  const [before, after] = [1_000_000, 1_000_400];
  const theirs = difference < 0 ? before + difference : after + difference;
  expect(clockFound(before, theirs, after)).toEqual({ status, text: expect.stringContaining(text) });
});
