/** Counters in the process's own memory: exact for one process, forgotten when it ends. */
import type { Clock } from '../clock.ts';
import type { Counters } from './counters.ts';

interface Window {
  used: number;
  endsAt: number;
}

export function createMemoryCounters(clock: Clock): Counters {
  const windows = new Map<string, Window>();
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
    async check() {},
    async sweep() {
      const now = clock.now();
      for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key);
    },
  };
}
