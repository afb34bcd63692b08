import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../src/clock.ts';

/** No wait takes longer than a tick, and no patience ends: what is waited for happens, however slow the machine is. */
export const eagerClock: Clock = {
  now: () => performance.now(),
  wait: (_ms, signal) => sleep(1, undefined, { signal }),
  timeout: () => new AbortController().signal,
};

/** The service is given up as soon as it is called. */
export const impatientClock: Clock = { ...eagerClock, timeout: () => AbortSignal.timeout(0) };
