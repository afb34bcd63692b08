import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../src/clock.ts';

/** Each wait takes about a millisecond, and no timeout expires, however slow the machine is. */
export const eagerClock: Clock = {
  now: () => performance.now(),
  wait: (_ms, signal) => sleep(1, undefined, { signal }),
  timeout: () => new AbortController().signal,
};

/** A clock on which timeouts of exactly this length expire immediately. */
export const impatientClock = (ms: number): Clock => ({
  ...eagerClock,
  timeout: (longest) => (longest === ms ? AbortSignal.timeout(0) : eagerClock.timeout(longest)),
});
