/** Timers that tests control. */
import type { Timers } from '@svc/server/ports';

export interface FakeTimers extends Timers {
  /** Runs the timers due within this time, in order. */
  advance(ms: number): void;
}

interface Timer {
  readonly everyMs: number;
  readonly run: () => void;
  dueMs: number;
}

export function createFakeTimers(): FakeTimers {
  const timers = new Set<Timer>();
  let nowMs = 0;
  return {
    every(ms, run) {
      const timer = { everyMs: ms, run, dueMs: nowMs + ms };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        const [next] = [...timers].toSorted((one, other) => one.dueMs - other.dueMs);
        if (!next || next.dueMs > untilMs) break;
        nowMs = next.dueMs;
        next.dueMs += next.everyMs;
        next.run();
      }
      nowMs = untilMs;
    },
  };
}
