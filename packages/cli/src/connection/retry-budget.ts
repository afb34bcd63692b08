/**
 * How often, and for how long, one command may retry. All its retries use the same budget, whether of a lost call, of a
 * rate-limited call or of a declaration that another process replaced. So nested loops do not multiply the limits.
 *
 * Invariant: pauses and failed attempts together take at most `RETRY_TIME_MS_MAX`, plus the attempt that crosses it.
 */
import type { Clock } from '../clock.ts';
import { pause } from '../pause.ts';
import { MINUTE_MS } from '../time.ts';

export const RETRIES_MAX = 12;
export const RETRY_TIME_MS_MAX = 3 * MINUTE_MS;

const FIRST_PAUSE_MS = 500;
const PAUSE_MS_MAX = 8000;
/** A command fails instead of waiting longer than this for the service. */
const RETRY_AFTER_MS_MAX = 90_000;

export interface Backoff {
  /** Counts from 1; the pause doubles with each. */
  readonly attempt: number;
  /** From `Retry-After`: the pause is never shorter. */
  readonly retryAfterMs?: number | null;
  readonly signal: AbortSignal;
}

export class RetryBudget {
  readonly #clock: Pick<Clock, 'wait'>;
  readonly #random: () => number;
  #retriesLeft: number;
  #timeLeftMs = RETRY_TIME_MS_MAX;

  /** @param random returns at least 0 and less than 1. */
  constructor(
    clock: Pick<Clock, 'wait'>,
    { random = Math.random, retriesMax = RETRIES_MAX }: { random?: () => number; retriesMax?: number } = {},
  ) {
    this.#clock = clock;
    this.#random = random;
    this.#retriesLeft = retriesMax;
  }

  /** Charges the time of a failed attempt. */
  charge(elapsedMs: number): void {
    this.#timeLeftMs -= elapsedMs;
  }

  /**
   * Charges one retry and waits before it.
   * @returns false, without a wait, when the budget does not allow the retry. @throws CliError `interrupted`
   */
  async pause({ attempt, retryAfterMs, signal }: Backoff): Promise<boolean> {
    const fullMs = Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    const pauseMs = (retryAfterMs ?? 0) + jittered(fullMs, this.#random);
    const isAllowed = this.#retriesLeft > 0 && pauseMs <= this.#timeLeftMs;
    if (!isAllowed || (retryAfterMs ?? 0) > RETRY_AFTER_MS_MAX) return false;
    this.#retriesLeft -= 1;
    this.#timeLeftMs -= pauseMs;
    await pause(pauseMs, { clock: this.#clock, signal });
    return true;
  }
}

/** Random within the upper half of the range, so that many clients do not return at the same time. */
export function jittered(fullMs: number, random: () => number = Math.random): number {
  return Math.round(fullMs * (0.5 + random() / 2));
}

/** A budget for calls that their own loop repeats until a deadline: live delivery, and waiting for an approval. */
export function noRetries(clock: Pick<Clock, 'wait'>): RetryBudget {
  return new RetryBudget(clock, { retriesMax: 0 });
}
