/** Counters in the memory of the process: exact for one process, lost when it ends. */
import type { Clock } from '../clock.ts';
import type { Budget, Counters, Rejection, Take } from './counters.ts';
import { forgetOld, takeSliding, type WeightedTakes } from './sliding-window.ts';

interface Window {
  used: number;
  confirmed: number;
  endsAt: number;
}

interface SlidingWindow {
  readonly takes: WeightedTakes;
  readonly windowMs: number;
}

export function createMemoryCounters(clock: Clock): Counters {
  const windows = new Map<string, Window>();
  const sliding = new Map<string, SlidingWindow>();

  function current(key: string): Window | undefined {
    const window = windows.get(key);
    return window && window.endsAt > clock.now() ? window : undefined;
  }

  function windowOf({ key, windowEndsAt }: Take): Window | undefined {
    const window = windows.get(key);
    return window?.endsAt === windowEndsAt ? window : undefined;
  }

  function reject(window: Window, { limit, windowMs }: Budget): Rejection {
    const now = clock.now();
    window.endsAt = Math.min(window.endsAt, now + windowMs);
    return { ok: false, retryAfterMs: window.endsAt - now, undecided: window.confirmed < limit };
  }

  return {
    async take(key, budget) {
      let window = current(key);
      if (!window) {
        window = { used: 0, confirmed: 0, endsAt: clock.now() + budget.windowMs };
        windows.set(key, window);
      }
      if (window.used >= budget.limit) return reject(window, budget);
      window.used += 1;
      return { ok: true, take: { key, windowEndsAt: window.endsAt } };
    },
    async peek(key, budget) {
      const window = current(key);
      return window && window.used >= budget.limit ? reject(window, budget) : { ok: true };
    },
    async giveBack(take) {
      const window = windowOf(take);
      if (!window) return;
      window.used -= 1;
      if (window.used === 0) windows.delete(take.key);
    },
    async confirm(take) {
      const window = windowOf(take);
      if (window) window.confirmed += 1;
    },
    async takeSliding(key, weight, budget) {
      let window = sliding.get(key);
      if (window?.windowMs !== budget.windowMs) {
        window = { takes: window?.takes ?? [], windowMs: budget.windowMs };
        sliding.set(key, window);
      }
      const retryAfterMs = takeSliding(window.takes, weight, budget, clock.now());
      return retryAfterMs === null ? { ok: true } : { ok: false, retryAfterMs };
    },
    async check() {},
    async sweep() {
      const now = clock.now();
      for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key);
      for (const [key, { takes, windowMs }] of sliding) {
        forgetOld(takes, windowMs, now);
        if (takes.length === 0) sliding.delete(key);
      }
    },
  };
}
