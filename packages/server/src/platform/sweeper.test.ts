import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from './log.ts';
import { startSweeper, type Job } from './sweeper.ts';

// Timers follow the clock that tests move.
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start(...jobs: Job[]) {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  return {
    sweeper: startSweeper(jobs, { log, database: { runAlone: (name, work) => locks.runAlone(name, work) } }),
    lines,
  };
}

/** The locks of one database, which the replicas of a test share. */
class Locks {
  readonly #held = new Set<string>();

  async runAlone(name: string, work: () => Promise<void>): Promise<boolean> {
    if (this.#held.has(name)) return false;
    this.#held.add(name);
    try {
      await work();
    } finally {
      this.#held.delete(name);
    }
    return true;
  }
}

let locks = new Locks();
beforeEach(() => {
  locks = new Locks();
});

/** A job that records when it ran. */
function recorded(name: string, everyMs: number, work: () => Promise<void> = () => Promise.resolve()) {
  const began = Date.now();
  const ranAfterMs: number[] = [];
  const run = () => {
    ranAfterMs.push(Date.now() - began);
    return work();
  };
  return { name, everyMs, run, ranAfterMs };
}

describe('the sweeper', () => {
  test('[T24] runs each job at its interval', async () => {
    const [minutely, secondly] = [recorded('minutely', 60_000), recorded('secondly', 1000)];
    const { sweeper } = start(minutely, secondly);
    await vi.advanceTimersByTimeAsync(120_000);
    expect([minutely.ranAfterMs.length, secondly.ranAfterMs.length]).toEqual([2, 120]);
    await sweeper.stop();
  });

  test('[T24] runs an hourly job soon after the start as well, and not at the start itself', async () => {
    const [hourly, often] = [recorded('hourly', 3_600_000), recorded('often', 600_000)];
    const { sweeper } = start(hourly, often);
    await vi.advanceTimersByTimeAsync(599_999);
    expect([hourly.ranAfterMs, often.ranAfterMs]).toEqual([[60_000], []]);
    await vi.advanceTimersByTimeAsync(7_200_000 - 599_999);
    expect(hourly.ranAfterMs).toEqual([60_000, 3_600_000, 7_200_000]);
    await sweeper.stop();
  });

  test('[T24] runs nothing and leaves no timer when it is stopped soon after the start', async () => {
    const hourly = recorded('hourly', 3_600_000);
    await start(hourly).sweeper.stop();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(7_200_000);
    expect(hourly.ranAfterMs).toEqual([]);
  });

  test('[T24] a job that fails is logged by its name, and runs again', async () => {
    const breaks = recorded('breaks', 1000, () => Promise.reject(new Error('out of order')));
    const { sweeper, lines } = start(breaks);
    await vi.advanceTimersByTimeAsync(3000);
    expect(breaks.ranAfterMs).toHaveLength(3);
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'job failed',
      job: 'breaks',
      error: { message: 'out of order' },
    });
    await sweeper.stop();
  });

  test('[T24] a job that takes longer than its interval does not overlap itself, and delays no other', async () => {
    const gate = Promise.withResolvers<void>();
    const [slow, quick] = [recorded('slow', 1000, () => gate.promise), recorded('quick', 1000)];
    const { sweeper } = start(slow, quick);
    await vi.advanceTimersByTimeAsync(5000);
    expect([slow.ranAfterMs.length, quick.ranAfterMs.length]).toEqual([1, 5]);
    gate.resolve();
    await vi.advanceTimersByTimeAsync(1000);
    expect(slow.ranAfterMs).toHaveLength(2);
    await sweeper.stop();
  });

  test('[T24] one of several replicas runs a job, and each replica runs the jobs of its own process', async () => {
    const gate = Promise.withResolvers<void>();
    const shared = recorded('shared', 1000, () => gate.promise);
    const local = { ...recorded('local', 1000), isLocal: true };
    const replicas = [start(shared, local), start(shared, local)];
    await vi.advanceTimersByTimeAsync(3000);
    expect([shared.ranAfterMs.length, local.ranAfterMs.length]).toEqual([1, 6]);
    gate.resolve();
    await Promise.all(replicas.map(({ sweeper }) => sweeper.stop()));
  });

  test('[T24] stopping waits for jobs under way, and starts no more', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = recorded('slow', 1000, () => gate.promise);
    const { sweeper } = start(slow);
    await vi.advanceTimersByTimeAsync(1000);
    let stopped = false;
    const stopping = sweeper.stop().then(() => (stopped = true));
    await vi.advanceTimersByTimeAsync(5000);
    expect([slow.ranAfterMs.length, stopped]).toEqual([1, false]);
    gate.resolve();
    await stopping;
    expect([slow.ranAfterMs.length, stopped]).toEqual([1, true]);
  });
});
