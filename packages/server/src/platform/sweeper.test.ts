import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from './log.ts';
import { startSweeper, type Job } from './sweeper.ts';

// Timers are part of the clock that tests move.
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start(...jobs: Job[]) {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  return { sweeper: startSweeper(jobs, log), lines };
}

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('the sweeper', () => {
  test('[T24] runs each job as often as it asks for', async () => {
    const runs = { minute: 0, second: 0 };
    const count = (name: keyof typeof runs, everyMs: number): Job => ({
      name,
      everyMs,
      run: () => {
        runs[name] += 1;
        return Promise.resolve();
      },
    });
    const { sweeper } = start(count('minute', 60_000), count('second', 1000));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(runs).toEqual({ minute: 2, second: 120 });
    await sweeper.stop();
  });

  test('[T24] runs a job of every hour soon after the start as well, and not at the start itself', async () => {
    const runAfterMs: number[] = [];
    const began = Date.now();
    const hourly: Job = {
      name: 'hourly',
      everyMs: 3_600_000,
      run: () => Promise.resolve(void runAfterMs.push(Date.now() - began)),
    };
    let oftenRuns = 0;
    const often: Job = { name: 'often', everyMs: 600_000, run: () => Promise.resolve(void (oftenRuns += 1)) };
    const { sweeper } = start(hourly, often);
    await vi.advanceTimersByTimeAsync(599_999);
    expect([runAfterMs, oftenRuns]).toEqual([[60_000], 0]);
    await vi.advanceTimersByTimeAsync(7_200_000 - 599_999);
    expect(runAfterMs).toEqual([60_000, 3_600_000, 7_200_000]);
    await sweeper.stop();
  });

  test('[T24] stopped before that, it runs nothing, and leaves no timer', async () => {
    let runs = 0;
    const { sweeper } = start({
      name: 'hourly',
      everyMs: 3_600_000,
      run: () => Promise.resolve(void (runs += 1)),
    });
    await sweeper.stop();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(7_200_000);
    expect(runs).toBe(0);
  });

  test('[T24] a job that fails is told in the log by its name, and runs again', async () => {
    let runs = 0;
    const { sweeper, lines } = start({
      name: 'breaks',
      everyMs: 1000,
      run: () => {
        runs += 1;
        return Promise.reject(new Error('out of order'));
      },
    });
    await vi.advanceTimersByTimeAsync(3000);
    expect(runs).toBe(3);
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'job failed',
      job: 'breaks',
      error: { message: 'out of order' },
    });
    await sweeper.stop();
  });

  test('[T24] a job that takes longer than its interval does not run beside itself, and holds up no other', async () => {
    let slow = 0;
    let quick = 0;
    const { opened, open } = gate();
    const { sweeper } = start(
      { name: 'slow', everyMs: 1000, run: () => ((slow += 1), opened) },
      { name: 'quick', everyMs: 1000, run: () => Promise.resolve(void (quick += 1)) },
    );
    await vi.advanceTimersByTimeAsync(5000);
    expect([slow, quick]).toEqual([1, 5]);
    open();
    await vi.advanceTimersByTimeAsync(1000);
    expect(slow).toBe(2);
    await sweeper.stop();
  });

  test('[T24] stopping waits for what is under way, and starts nothing more', async () => {
    let runs = 0;
    const { opened, open } = gate();
    const { sweeper } = start({ name: 'slow', everyMs: 1000, run: () => ((runs += 1), opened) });
    await vi.advanceTimersByTimeAsync(1000);
    let stopped = false;
    const stopping = sweeper.stop().then(() => (stopped = true));
    await vi.advanceTimersByTimeAsync(5000);
    expect([runs, stopped]).toEqual([1, false]);
    open();
    await stopping;
    expect([runs, stopped]).toEqual([1, true]);
  });
});
