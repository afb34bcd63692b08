/** Counters in the process's own memory: exact for one process, forgotten when it ends. */
import type { Clock } from '../clock.ts';
import type { Counters } from './counters.ts';
import { forgetOld, takeSliding, type WeightedTakes } from './sliding-window.ts';

interface Window {
  used: number;
  endsAt: number;
}

interface SlidingWindow {
  readonly takes: WeightedTakes;
  readonly windowMs: number;
}

export function createMemoryCounters(clock: Clock): Counters {
  const windows = new Map<string, Window>();
  const sliding = new Map<string, SlidingWindow>();
  return {
    async take(key, { limit, windowMs }) {
      const now = clock.now();
      let window = windows.get(key);
      if (!window || window.endsAt <= now) {
        window = { used: 0, endsAt: now + windowMs };
        windows.set(key, window);
      }
      if (window.used >= limit) {
        window.endsAt = Math.min(window.endsAt, now + windowMs);
        return { ok: false, retryAfterMs: window.endsAt - now };
      }
      window.used += 1;
      return { ok: true, take: { key, windowEndsAt: window.endsAt } };
    },
    async giveBack({ key, windowEndsAt }) {
      const window = windows.get(key);
      if (window?.endsAt === windowEndsAt && window.used > 0) window.used -= 1;
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
