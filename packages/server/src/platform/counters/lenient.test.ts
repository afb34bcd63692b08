import { createFakeClock } from '@svc/testkit/clock';
import { createFailingCounters } from '@svc/testkit/failing-counters';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Counters } from './counters.ts';
import { createLenientCounters } from './lenient.ts';
import { createMemoryCounters } from './memory.ts';

const BUDGET = { limit: 3, windowMs: 60_000 };
const clock = createFakeClock();
const { wrap, fail, recover } = createFailingCounters();
let store: Counters;
let lenient: Counters;

beforeEach(() => {
  recover();
  store = createMemoryCounters(clock);
  lenient = createLenientCounters(wrap(store), createMemoryCounters(clock));
});

async function takeOne(counters = lenient) {
  const result = await counters.take('key', BUDGET);
  return result.ok ? result.take : null;
}

/** How many takes still fit. */
async function roomIn(counters: Counters): Promise<number> {
  const taken = [];
  for (let take = await takeOne(counters); take; take = await takeOne(counters)) taken.push(take);
  for (const take of taken) await counters.giveBack(take);
  return taken.length;
}

describe('lenient counters', () => {
  test('count in their store while it works', async () => {
    await takeOne();
    expect(await roomIn(store)).toBe(2);
    expect(await lenient.takeSliding('key', 3, BUDGET)).toEqual({ ok: true });
    expect(await store.takeSliding('key', 1, BUDGET)).toMatchObject({ ok: false });
  });

  test('[D15] hold the limit in the process while the store is gone', async () => {
    await takeOne();
    fail();
    for (let index = 0; index < BUDGET.limit; index += 1) expect(await takeOne()).not.toBeNull();
    expect(await lenient.take('key', BUDGET)).toMatchObject({ ok: false, retryAfterMs: BUDGET.windowMs });
    expect(await lenient.peek('key', BUDGET)).toMatchObject({ ok: false });
    expect(await lenient.takeSliding('key', 3, BUDGET)).toEqual({ ok: true });
    expect(await lenient.takeSliding('key', 1, BUDGET)).toMatchObject({ ok: false });
    recover();
    // The store knows its own take, and none of those made meanwhile.
    expect(await roomIn(lenient)).toBe(2);
  });

  test('return a take to the counters that it came from, even if the store is back meanwhile', async () => {
    const before = await takeOne();
    fail();
    const meanwhile = await takeOne();
    recover();
    if (!before || !meanwhile) throw new Error('Both takes fit.');
    expect(meanwhile).toEqual(before);
    await lenient.giveBack(meanwhile);
    expect(await roomIn(store)).toBe(2);
    fail();
    expect(await roomIn(lenient)).toBe(3);
  });

  test('keep a take of the store that is returned while the store is gone', async () => {
    const take = await takeOne();
    if (!take) throw new Error('The first take fits.');
    fail();
    await lenient.giveBack(take);
    await lenient.confirm(take);
    recover();
    expect(await roomIn(store)).toBe(2);
  });

  test('pass on a failure that does not mean that the store is gone', async () => {
    fail(new TypeError('a bug'));
    await expect(takeOne()).rejects.toThrow('a bug');
    await expect(lenient.takeSliding('key', 1, BUDGET)).rejects.toThrow('a bug');
  });

  test('[D15] report that the store is gone when they are checked', async () => {
    fail();
    await expect(lenient.check()).rejects.toThrow('are gone');
  });

  test('forget ended windows of the process even while the store is gone', async () => {
    const inProcess = createMemoryCounters(clock);
    const counters = createLenientCounters(wrap(store), inProcess);
    fail();
    const once = { ...BUDGET, limit: 1 };
    await counters.take('key', once);
    clock.advance(BUDGET.windowMs);
    await expect(counters.sweep()).rejects.toThrow('are gone');
    clock.advance(-BUDGET.windowMs);
    expect(await inProcess.peek('key', once)).toEqual({ ok: true });
  });
});
