import { createFakeClock } from '@svc/testkit';
import { describe, expect, test } from 'vitest';
import type { Budget, Counters } from './counters/counters.ts';
import { createThrottles, defaultThrottleBudgets } from './throttles.ts';

const clock = createFakeClock();

/** Counters that say no to some keys, and remember what they were asked. */
function recording(full: (key: string) => boolean) {
  const asked: { key: string; budget: Budget }[] = [];
  const givenBack: string[] = [];
  const counters: Counters = {
    async take(key, budget) {
      asked.push({ key, budget });
      if (full(key)) return { ok: false, retryAfterMs: 5000 };
      return { ok: true, take: { key, windowEndsAt: clock.now() } };
    },
    async giveBack({ key }) {
      givenBack.push(key);
    },
    async check() {},
    async sweep() {},
  };
  return { throttles: createThrottles(counters, defaultThrottleBudgets), asked, givenBack };
}

describe('throttles', () => {
  test('[D3] all are charged with the published budgets, and all are given back together', async () => {
    const { throttles, asked, givenBack } = recording(() => false);
    const giveBack = await throttles.charge(['loginNetwork', '192.0.2.1'], ['loginAccount', 'a@b.test']);
    expect(asked.map(({ budget }) => budget)).toEqual([
      { limit: 50, windowMs: 900_000 },
      { limit: 10, windowMs: 900_000 },
    ]);
    expect(givenBack).toEqual([]);
    await giveBack();
    expect(givenBack.toSorted()).toEqual(asked.map(({ key }) => key).toSorted());
  });

  test('[D3] one that is full refuses, and what was charged before it is given back', async () => {
    const { throttles, asked, givenBack } = recording((key) => key.startsWith('loginAccount'));
    const charging = throttles.charge(['loginNetwork', '192.0.2.1'], ['loginAccount', 'a@b.test']);
    await expect(charging).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 5000 });
    expect(givenBack).toEqual([asked[0]?.key]);
  });

  test('[T4] a store that fails keeps the door shut', async () => {
    const { throttles } = recording(() => {
      throw new Error('out of reach');
    });
    await expect(throttles.charge(['loginAccount', 'a@b.test'])).rejects.toThrow('out of reach');
    await expect(throttles.chargeFixed('x', 'y', { limit: 1, windowMs: 1 })).rejects.toThrow('out of reach');
  });

  test('[T22] no key holds an address or an email', async () => {
    const { throttles, asked } = recording(() => false);
    await throttles.charge(['loginNetwork', '192.0.2.1'], ['loginAccount', 'someone@example.test']);
    await throttles.chargeFixed('poll', 'an-id 192.0.2.1', { limit: 1, windowMs: 1 });
    for (const { key } of asked) {
      expect(key).toMatch(/^[A-Za-z]+:[A-Za-z0-9_-]{22}$/);
      expect(key).not.toMatch(/192|someone|example/);
    }
  });
});
