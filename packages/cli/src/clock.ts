/** The clock by which a command waits: the system's, or a test's. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since an arbitrary fixed time; never decreases. */
  readonly now: () => number;
  /** Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A signal that is aborted after this time. */
  readonly timeout: (ms: number) => AbortSignal;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, { signal }),
  timeout: (ms) => AbortSignal.timeout(ms),
};
