import fc from 'fast-check';
import { limits } from '@svc/contract';
import { expect, test } from 'vitest';
import { EventRateLimit } from './event-rate-limit.ts';

const MINUTE_MS = 60_000;

test('[D7] in no minute are more events sent than the service accepts, and no wait is longer than a minute', () => {
  const steps = fc.array(
    fc.record({ idleMs: fc.nat(90_000), count: fc.integer({ min: 1, max: limits.progressEventsMax }) }),
    { minLength: 30, maxLength: 120 },
  );
  fc.assert(
    fc.property(steps, fc.boolean(), (given, isBusy) => {
      const budget = new EventRateLimit();
      const sent: { atMs: number; count: number }[] = [];
      let nowMs = 1_000_000;
      for (const { idleMs, count } of given) {
        nowMs += isBusy ? idleMs % 50 : idleMs;
        const waitMs = budget.waitMs(count, nowMs);
        expect(waitMs).toBeLessThanOrEqual(MINUTE_MS);
        nowMs += waitMs;
        expect(budget.waitMs(count, nowMs)).toBe(0);
        budget.spend(count, nowMs);
        sent.push({ atMs: nowMs, count });
      }
      for (const { atMs } of sent) {
        const inMinute = sent.filter((each) => each.atMs > atMs - MINUTE_MS && each.atMs <= atMs);
        expect(inMinute.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(
          limits.progressEventsPerMinuteMax,
        );
      }
    }),
  );
});

test('events within the limit are sent immediately', () => {
  const budget = new EventRateLimit();
  for (let batch = 0; batch < 20; batch += 1) {
    expect(budget.waitMs(25, 0)).toBe(0);
    budget.spend(25, 0);
  }
  expect(budget.waitMs(25, 1000)).toBe(MINUTE_MS - 1000);
});
