/** One suite for every counter store, which checks what the port promises. */
import { isThorough } from '@svc/testkit/lane';
import { createFakeClock, createTestPostgres, postgresUrl, type FakeClock } from '@svc/testkit';
import { redisMissing, startRedisServer } from '@svc/testkit/redis-server';
import * as fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openPostgres } from '../database/postgres.ts';
import type { Counters, Take } from './counters.ts';
import { createMemoryCounters } from './memory.ts';
import { createPostgresCounters } from './postgres.ts';
import { openRedisCounters } from './redis.ts';
import { parseRedisAddress } from './redis-address.ts';

interface Opened {
  readonly counters: Counters;
  /** The number of stored keys. On Redis, without those that expire soon. */
  size(): Promise<number>;
  close(): Promise<void>;
}

async function openOnPostgres(clock: FakeClock): Promise<Opened> {
  const { url, drop } = await createTestPostgres();
  const database = await openPostgres(url, () => undefined);
  return {
    counters: createPostgresCounters(database, clock),
    async size() {
      const counted = await database.read.selectFrom('throttleCounters').select('key').execute();
      const sliding = await database.read.selectFrom('slidingWindows').select('key').execute();
      return counted.length + sliding.length;
    },
    async close() {
      await database.close();
      await drop();
    },
  };
}

async function openOnRedis(clock: FakeClock): Promise<Opened> {
  const server = await startRedisServer();
  const admin = new Redis(server.url);
  const address = parseRedisAddress(server.url);
  if (!address) throw new Error('the address of the server is invalid');
  const counters = await openRedisCounters(
    address,
    (key) => key,
    clock,
    () => undefined,
  );
  return {
    counters,
    // Redis expires keys by its own clock, not by the tests' clock, so keys that it deletes soon do not count.
    async size() {
      const left = await Promise.all((await admin.keys('*')).map((key) => admin.pttl(key)));
      return left.filter((ms) => ms < 0 || ms > 120_000).length;
    },
    async close() {
      counters.close();
      admin.disconnect();
      await server.remove();
    },
  };
}

function openInMemory(clock: FakeClock): Promise<Opened> {
  return Promise.resolve({
    counters: createMemoryCounters(clock),
    size: () => Promise.resolve(0),
    close: () => Promise.resolve(),
  });
}

describe('counters in memory', () => {
  suite(openInMemory);
});
describe.skipIf(postgresUrl === undefined)('counters in PostgreSQL (only there)', () => {
  suite(openOnPostgres);
});
describe.skipIf(isThorough && redisMissing())('counters in Redis', { tags: 'thorough' }, () => {
  suite(openOnRedis);
});

function suite(open: (clock: FakeClock) => Promise<Opened>): void {
  const clock = createFakeClock('2026-01-07T12:00:00Z');
  let opened: Promise<Opened> | undefined;
  let counters: Counters;
  let keys = 0;
  let key: string;
  beforeEach(async () => {
    ({ counters } = await (opened ??= open(clock)));
    keys += 1;
    key = `key-${keys}`;
  });
  afterAll(async () => (await opened)?.close());

  const budget = { limit: 3, windowMs: 60_000 };
  const take = (of = key) => counters.take(of, budget);
  const takes = async (count: number) => {
    const taken = [];
    for (let index = 0; index < count; index += 1) {
      const result = await take();
      if (!result.ok) throw new Error('there is no room for what the test takes');
      taken.push(result.take);
    }
    return taken as [Take, ...Take[]] & [Take, Take];
  };
  const oks = async (count: number) => {
    const results = [];
    for (let index = 0; index < count; index += 1) results.push((await take()).ok);
    return results;
  };

  test('[T4] exactly as many takes succeed as the limit allows', async () => {
    expect(await oks(5)).toEqual([true, true, true, false, false]);
  });

  test('[T4] of 60 parallel takes exactly the limit succeeds', async () => {
    const wide = { limit: 20, windowMs: 60_000 };
    const results = await Promise.all(Array.from({ length: 60 }, () => counters.take(key, wide)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(20);
  });

  test('[T4] parallel takes at the start of a window do not exceed its limit', async () => {
    await oks(3);
    clock.advance(60_000);
    const results = await Promise.all(Array.from({ length: 30 }, () => take()));
    expect(results.filter(({ ok }) => ok)).toHaveLength(3);
  });

  test('[D3] a window begins with its first take and ends by the clock, to the millisecond', async () => {
    await take();
    clock.advance(59_999);
    expect(await oks(3)).toEqual([true, true, false]);
    expect(await take()).toMatchObject({ ok: false, retryAfterMs: 1 });
    clock.advance(1);
    expect(await oks(4)).toEqual([true, true, true, false]);
    expect(await take()).toMatchObject({ ok: false, retryAfterMs: 60_000 });
  });

  test('[D3] a rejected take does not count', async () => {
    const { take: first } = (await take()) as { take: { key: string; windowEndsAt: number } };
    await oks(20);
    await counters.giveBack(first);
    expect(await oks(2)).toEqual([true, false]);
  });

  test('[T4] giving back after the window frees nothing in the next one', async () => {
    const results = await Promise.all([take(), take(), take()]);
    clock.advance(60_000);
    await take();
    for (const result of results) if (result.ok) await counters.giveBack(result.take);
    expect(await oks(3)).toEqual([true, true, false]);
  });

  test('[T4] giving back more than was taken frees nothing more', async () => {
    const taken = await take();
    for (let index = 0; index < 5; index += 1) if (taken.ok) await counters.giveBack(taken.take);
    expect(await oks(4)).toEqual([true, true, true, false]);
  });

  test('[D10] a window begins with the first take that stays, not with one that was given back', async () => {
    const [early] = await takes(1);
    clock.advance(30_000);
    await counters.giveBack(early);
    clock.advance(29_999);
    expect(await oks(3)).toEqual([true, true, true]);
    clock.advance(1);
    expect(await take()).toMatchObject({ ok: false, retryAfterMs: 59_999 });
    clock.advance(59_998);
    expect((await take()).ok).toBe(false);
    clock.advance(1);
    expect(await oks(4)).toEqual([true, true, true, false]);
  });

  test('[D10] a window keeps its end as long as any take in it stays', async () => {
    const [first, second] = await takes(2);
    await counters.giveBack(first);
    clock.advance(59_999);
    expect(await oks(3)).toEqual([true, true, false]);
    await counters.giveBack(second);
    expect(await take()).toMatchObject({ ok: true });
    clock.advance(1);
    expect(await oks(4)).toEqual([true, true, true, false]);
  });

  describe('peek', () => {
    test('[D10] peek returns what take would return, and takes nothing', async () => {
      for (let index = 0; index < 20; index += 1)
        expect(await counters.peek(key, budget)).toEqual({ ok: true });
      expect(await oks(3)).toEqual([true, true, true]);
      clock.advance(59_999);
      expect(await counters.peek(key, budget)).toEqual({ ok: false, retryAfterMs: 1, undecided: true });
      clock.advance(1);
      expect(await counters.peek(key, budget)).toEqual({ ok: true });
      expect(await oks(4)).toEqual([true, true, true, false]);
    });

    test('[D10] peek sees what was given back', async () => {
      const [first] = await takes(3);
      expect((await counters.peek(key, budget)).ok).toBe(false);
      await counters.giveBack(first);
      expect(await counters.peek(key, budget)).toEqual({ ok: true });
    });

    test('[T4] after a clock that ran ahead and came back, nobody is locked out for longer than a window', async () => {
      clock.advance(365 * 86_400_000);
      await oks(3);
      clock.advance(-365 * 86_400_000);
      expect(await counters.peek(key, budget)).toMatchObject({ ok: false, retryAfterMs: 60_000 });
      clock.advance(60_000);
      expect(await counters.peek(key, budget)).toEqual({ ok: true });
    });
  });

  describe('a rejection', () => {
    test('[D10] is final when as many takes are confirmed as the limit allows, and undecided before', async () => {
      const taken = await takes(3);
      for (const each of taken) {
        expect(await take()).toMatchObject({ ok: false, undecided: true });
        await counters.confirm(each);
      }
      expect(await take()).toMatchObject({ ok: false, undecided: false });
      expect(await counters.peek(key, budget)).toMatchObject({ ok: false, undecided: false });
    });

    test('[D10] is undecided again in the next window, which late confirmations do not reach', async () => {
      const late = await takes(3);
      clock.advance(60_000);
      await takes(3);
      for (const each of late) await counters.confirm(each);
      expect(await take()).toMatchObject({ ok: false, undecided: true });
    });

    test('[D10] depends only on the takes since the window was last empty', async () => {
      const [first] = await takes(1);
      await counters.giveBack(first);
      const taken = await takes(3);
      for (const each of taken.slice(1)) await counters.confirm(each);
      expect(await take()).toMatchObject({ ok: false, undecided: true });
    });
  });

  test('[D10] with any sequence of give-backs, no window contains more takes than the limit', async () => {
    const small = { limit: 4, windowMs: 1000 };
    const step = fc.record({
      advance: fc.nat(400),
      stays: fc.boolean(),
      atOnce: fc.integer({ min: 1, max: 3 }),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const of = `${key}-stays-${(runs += 1)}`;
        let stayed: number[] = [];
        for (const { advance, stays, atOnce } of steps) {
          clock.advance(advance);
          const now = clock.now();
          if (stayed[0] !== undefined && now - stayed[0] >= small.windowMs) stayed = [];
          const results = await Promise.all(Array.from({ length: atOnce }, () => counters.take(of, small)));
          const room = Math.min(small.limit - stayed.length, atOnce);
          expect(results.filter(({ ok }) => ok)).toHaveLength(room);
          if (stays) stayed.push(...Array.from({ length: room }, () => now));
          else await Promise.all(results.map(async (result) => result.ok && counters.giveBack(result.take)));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('[D3] keys are counted separately', async () => {
    await oks(3);
    expect((await take(`${key}-other`)).ok).toBe(true);
  });

  test('[D3] a lowered limit applies to the current window', async () => {
    await oks(2);
    expect((await counters.take(key, { limit: 2, windowMs: 60_000 })).ok).toBe(false);
  });

  test('[D3] sweeping deletes past windows, and no others', async () => {
    await oks(3);
    clock.advance(30_000);
    const young = `${key}-young`;
    for (let index = 0; index < 3; index += 1) await take(young);
    clock.advance(30_000);
    await counters.sweep();
    expect((await take(young)).ok).toBe(false);
    expect(await oks(4)).toEqual([true, true, true, false]);
    clock.advance(120_000);
    await counters.sweep();
    expect(await (await opened)?.size()).toBe(0);
  });

  test('[T4] after a clock that ran ahead and came back, nobody is locked out for longer than a window', async () => {
    clock.advance(365 * 86_400_000);
    await oks(3);
    clock.advance(-365 * 86_400_000);
    const rejected = await take();
    expect(rejected.ok ? 0 : rejected.retryAfterMs).toBeLessThanOrEqual(60_000);
    clock.advance(60_000);
    expect(await oks(4)).toEqual([true, true, true, false]);
  });

  describe('a sliding window', () => {
    const wide = { limit: 600, windowMs: 60_000 };
    const slide = (weight: number, of = key) => counters.takeSliding(of, weight, wide);

    test('[D7] frees each take when it ages, not at the end of a fixed window', async () => {
      await slide(500);
      clock.advance(59_999);
      await slide(100);
      expect(await slide(1)).toEqual({ ok: false, retryAfterMs: 1 });
      clock.advance(1);
      expect(await slide(501)).toEqual({ ok: false, retryAfterMs: 59_999 });
      expect(await slide(500)).toEqual({ ok: true });
      clock.advance(59_998);
      expect(await slide(1)).toEqual({ ok: false, retryAfterMs: 1 });
      clock.advance(1);
      expect(await slide(100)).toEqual({ ok: true });
    });

    test('[T10] allows at most the limit of parallel takes', async () => {
      const results = await Promise.all(Array.from({ length: 60 }, () => slide(25)));
      expect(results.filter(({ ok }) => ok)).toHaveLength(24);
    });

    test('[D7] counts keys separately, and apart from those of fixed windows', async () => {
      await slide(600);
      expect((await slide(600, `${key}-other`)).ok).toBe(true);
      expect((await take()).ok).toBe(true);
    });

    test('[D7] locks nobody out for longer than a window after a clock that ran ahead and came back', async () => {
      clock.advance(365 * 86_400_000);
      await slide(600);
      clock.advance(-365 * 86_400_000);
      expect(await slide(1)).toEqual({ ok: false, retryAfterMs: 60_000 });
      clock.advance(60_000);
      expect(await slide(600)).toEqual({ ok: true });
    });

    test('[D7] loses only old takes when it is swept', async () => {
      await slide(300);
      clock.advance(30_000);
      await slide(300);
      clock.advance(30_000);
      await counters.sweep();
      expect(await slide(301)).toEqual({ ok: false, retryAfterMs: 30_000 });
      clock.advance(3_600_000);
      await counters.sweep();
      expect(await (await opened)?.size()).toBe(0);
      expect(await slide(600)).toEqual({ ok: true });
    });

    test('[D7] decides like a window that remembers every take', async () => {
      const small = { limit: 30, windowMs: 1000 };
      const step = fc.record({ advance: fc.nat(700), weight: fc.integer({ min: 1, max: 25 }) });
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          const of = `${key}-${(runs += 1)}`;
          const taken: { at: number; weight: number }[] = [];
          for (const { advance, weight } of steps) {
            clock.advance(advance);
            const now = clock.now();
            const used = taken
              .filter(({ at }) => now - at < small.windowMs)
              .reduce((sum, one) => sum + one.weight, 0);
            const fits = used + weight <= small.limit;
            const result = await counters.takeSliding(of, weight, small);
            expect(result.ok).toBe(fits);
            if (fits) taken.push({ at: now, weight });
          }
        }),
        { numRuns: 50 },
      );
    });

    test('[D7] accepts a take after the wait that a rejection names, and not a millisecond before', async () => {
      const small = { limit: 30, windowMs: 1000 };
      const weight = fc.integer({ min: 1, max: 25 });
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(400), weight), { maxLength: 20 }),
          weight,
          async (steps, last) => {
            const of = `${key}-wait-${(runs += 1)}`;
            for (const [advance, each] of steps) {
              clock.advance(advance);
              await counters.takeSliding(of, each, small);
            }
            const rejected = await counters.takeSliding(of, last, small);
            if (rejected.ok) return;
            clock.advance(rejected.retryAfterMs - 1);
            expect(await counters.takeSliding(of, last, small)).toEqual({ ok: false, retryAfterMs: 1 });
            clock.advance(1);
            expect(await counters.takeSliding(of, last, small)).toEqual({ ok: true });
          },
        ),
        { numRuns: 50 },
      );
    });
  });

  test('the check succeeds while the store is reachable', async () => {
    await expect(counters.check()).resolves.toBeUndefined();
  });
}
