import { createFakeClock } from '@svc/testkit/clock';
import { expect, test } from 'vitest';
import { createFailedRenderings, exportTooLarge, exportTooSlow } from './failed-renderings.ts';

test('[T28] an export that always fails is tried once a minute, and others are not affected', async () => {
  const clock = createFakeClock();
  const failed = createFailedRenderings(clock);
  let tried = 0;
  const ask = (key: string, error: Error) =>
    failed
      .unlessFailed(key, async () => {
        tried += 1;
        throw error;
      })
      .catch((thrown: unknown) => thrown);
  for (let count = 0; count < 3; count += 1)
    expect(await ask('large', exportTooLarge())).toMatchObject({ code: 'CONFLICT' });
  expect(tried).toBe(1);
  expect(await ask('slow', exportTooSlow())).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 60_000 });
  clock.advance(20_000);
  expect(await ask('slow', exportTooSlow())).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 40_000 });
  expect(tried).toBe(2);
  clock.advance(40_000);
  await ask('slow', exportTooSlow());
  await ask('large', exportTooLarge());
  expect(tried).toBe(4);
  expect(await failed.unlessFailed('other', async () => 'made')).toBe('made');
});

test('a failure that may be temporary is not remembered', async () => {
  const failed = createFailedRenderings(createFakeClock());
  await expect(failed.unlessFailed('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await failed.unlessFailed('a', async () => 'made')).toBe('made');
});
