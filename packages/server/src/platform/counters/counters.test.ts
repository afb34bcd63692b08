/** One suite for every store of counters: what the port promises, each of them keeps. */
import { createFakeClock, createTestDatabase, postgresUrl, type FakeClock } from '@svc/testkit';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openPostgres } from '../database/postgres.ts';
import type { Counters } from './counters.ts';
import { createMemoryCounters } from './memory.ts';
import { createPostgresCounters } from './postgres.ts';

interface Opened {
  readonly counters: Counters;
  /** How many keys it remembers. */
  size(): Promise<number>;
  close(): Promise<void>;
}

async function openOnPostgres(clock: FakeClock): Promise<Opened> {
  const { config, drop } = await createTestDatabase();
  if (config.kind !== 'postgres') throw new Error('this run has no PostgreSQL');
  const database = await openPostgres(config.url, () => undefined);
  return {
    counters: createPostgresCounters(database, clock),
    size: async () => (await database.read.selectFrom('throttleCounters').selectAll().execute()).length,
    async close() {
      await database.close();
      await drop();
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
  const oks = async (count: number) => {
    const results = [];
    for (let index = 0; index < count; index += 1) results.push((await take()).ok);
    return results;
  };

  test('[T4] as many takes succeed as the limit says, then none', async () => {
    expect(await oks(5)).toEqual([true, true, true, false, false]);
  });

  test('[T4] of 60 parallel takes exactly the limit succeeds', async () => {
    const wide = { limit: 20, windowMs: 60_000 };
    const results = await Promise.all(Array.from({ length: 60 }, () => counters.take(key, wide)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(20);
  });

  test('[T4] parallel takes as a window turns do not exceed the new one', async () => {
    await oks(3);
    clock.advance(60_000);
    const results = await Promise.all(Array.from({ length: 30 }, () => take()));
    expect(results.filter(({ ok }) => ok)).toHaveLength(3);
  });

  test('[D3] a window begins with its first take and ends by the clock, to the millisecond', async () => {
    await take();
    clock.advance(59_999);
    expect(await oks(3)).toEqual([true, true, false]);
    expect(await take()).toEqual({ ok: false, retryAfterMs: 1 });
    clock.advance(1);
    expect(await oks(4)).toEqual([true, true, true, false]);
    expect(await take()).toEqual({ ok: false, retryAfterMs: 60_000 });
  });

  test('[D3] a refused take counts for nothing', async () => {
    const { take: first } = (await take()) as { take: { key: string; windowEndsAt: number } };
    await oks(20);
    await counters.giveBack(first);
    expect(await oks(2)).toEqual([true, false]);
  });

  test('[D3] what is given back can be taken again', async () => {
    for (let round = 0; round < 10; round += 1) {
      const taken = await take();
      expect(taken.ok).toBe(true);
      if (taken.ok) await counters.giveBack(taken.take);
    }
    expect(await oks(4)).toEqual([true, true, true, false]);
  });

  test('[T4] giving back after the window makes no room in the next one', async () => {
    const results = await Promise.all([take(), take(), take()]);
    clock.advance(60_000);
    await take();
    for (const result of results) if (result.ok) await counters.giveBack(result.take);
    expect(await oks(3)).toEqual([true, true, false]);
  });

  test('[T4] giving back more than was taken makes no room', async () => {
    const taken = await take();
    for (let index = 0; index < 5; index += 1) if (taken.ok) await counters.giveBack(taken.take);
    expect(await oks(4)).toEqual([true, true, true, false]);
  });

  test('[D3] keys are counted apart', async () => {
    await oks(3);
    expect((await take(`${key}-other`)).ok).toBe(true);
  });

  test('[D3] a lowered limit counts for a window under way', async () => {
    await oks(2);
    expect((await counters.take(key, { limit: 2, windowMs: 60_000 })).ok).toBe(false);
  });

  test('[D3] sweeping forgets windows that are over, and no other', async () => {
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

  test('[T4] a clock that ran ahead and came back leaves nobody shut out for longer than a window', async () => {
    clock.advance(365 * 86_400_000);
    await oks(3);
    clock.advance(-365 * 86_400_000);
    const refused = await take();
    expect(refused.ok ? 0 : refused.retryAfterMs).toBeLessThanOrEqual(60_000);
    clock.advance(60_000);
    expect(await oks(4)).toEqual([true, true, true, false]);
  });

  test('it says that it is in reach', async () => {
    await expect(counters.check()).resolves.toBeUndefined();
  });
}
