/**
 * The queue of password checks for one share link, in this process: who may cause a hash, and who waits.
 *
 * Requests with the same password share one place in the queue. Places are charged one at a time, in order of arrival,
 * against the link's rate limit, which replicas share. So not even a remembered password gets past wrong ones that came
 * before it. If the limit is full of guesses that are still being checked, the first place waits. It tries again when
 * one of them is settled, and periodically, because another replica may settle some. Once the limit is full of wrong
 * guesses, the whole queue is rejected together, because charging each would be pointless.
 */
import { performance } from 'node:perf_hooks';
import pLimit from 'p-limit';
import { AppError } from '#app-error';
import type { PeekResult, Take, TakeResult } from '#platform/counters/counters';

export interface Patience {
  /** How long a place waits for guesses that are being checked. */
  readonly waitMsMax: number;
  readonly askAgainMs: number;
}

export interface Guess {
  /** Charges for the guess, or only reads the counter when no charge is needed. */
  readonly charge: () => Promise<TakeResult | PeekResult>;
  /**
   * Whether the password is right; settles the charge. Not called without a charge, because the password is then known
   * to be right.
   */
  readonly check: (taken: Take) => Promise<boolean>;
}

export interface PasswordLine {
  /** Whether no place waits to be charged. */
  isIdle(): boolean;
  /** Whether no place waits to be charged, and no guess is being checked. */
  isEmpty(): boolean;
  /**
   * Whether the guess is right.
   * @param digest equal for equal passwords.
   * @throws AppError RATE_LIMITED, and what `charge` and `check` throw.
   */
  lineUp(digest: string, guess: Guess): Promise<boolean>;
}

export function createPasswordLine(patience: Patience): PasswordLine {
  const underWay = new Map<string, Promise<boolean>>();
  const atTheHead = pLimit(1);
  let arrived = 0;
  let rejected: { readonly upTo: number; readonly retryAfterMs: number } | null = null;
  let settled = 0;
  let wakeHead: (() => void) | null = null;

  /** Waits until the number of settled guesses is no longer `seen`, for at most `ms`. */
  async function nextSettled(seen: number, ms: number): Promise<void> {
    if (settled !== seen) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(wake, ms);
      function wake() {
        clearTimeout(timer);
        wakeHead = null;
        resolve();
      }
      wakeHead = wake;
    });
  }

  /** The charge, or null when none was needed. */
  async function enter(place: number, waitsUntil: number, charge: Guess['charge']): Promise<Take | null> {
    for (;;) {
      if (rejected && place <= rejected.upTo) throw rateLimited(rejected.retryAfterMs);
      const seen = settled;
      const result = await charge();
      if (result.ok) return 'take' in result ? result.take : null;
      if (!result.undecided) {
        rejected = { upTo: arrived, retryAfterMs: result.retryAfterMs };
        throw rateLimited(result.retryAfterMs);
      }
      const leftMs = waitsUntil - performance.now();
      if (leftMs <= 0) throw rateLimited(patience.waitMsMax);
      await nextSettled(seen, Math.min(leftMs, patience.askAgainMs));
    }
  }

  async function pass(digest: string, { charge, check }: Guess): Promise<boolean> {
    arrived += 1;
    const place = arrived;
    const waitsUntil = performance.now() + patience.waitMsMax;
    try {
      const taken = await atTheHead(() => enter(place, waitsUntil, charge));
      return taken === null || (await check(taken));
    } finally {
      underWay.delete(digest);
      settled += 1;
      wakeHead?.();
    }
  }

  return {
    isIdle: () => atTheHead.activeCount + atTheHead.pendingCount === 0,
    isEmpty: () => underWay.size === 0,
    lineUp(digest, guess) {
      const same = underWay.get(digest);
      if (same) return same;
      const passing = pass(digest, guess);
      underWay.set(digest, passing);
      return passing;
    },
  };
}

export function rateLimited(retryAfterMs: number): AppError {
  return new AppError('RATE_LIMITED', { retryAfterMs });
}
