/** The time that a command waits by: the system's, or that of a test. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  readonly now: () => number;
  /** Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A signal that is aborted after so long. */
  readonly timeout: (ms: number) => AbortSignal;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, { signal }),
  timeout: (ms) => AbortSignal.timeout(ms),
};
