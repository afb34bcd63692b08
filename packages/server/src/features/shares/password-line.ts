/**
 * The line before the password of one link: who may cost a hash, and who waits for whom, in this process.
 *
 * Those who came with the same password stand as one. One at a time, in the order in which they came, they are charged
 * against the link's budget, which is shared with other replicas; so not even a remembered password gets past wrong ones
 * that came before it. Who finds the budget full of guesses that are still being checked stays at the head and asks again
 * when one of them is settled, and now and then, since some may be settled elsewhere. Once the budget is full of wrong ones,
 * all who stand in the line are refused together: to ask for each would be work for nothing.
 */
import { performance } from 'node:perf_hooks';
import pLimit from 'p-limit';
import { AppError } from '#app-error';
import type { PeekResult, Take, TakeResult } from '#platform/counters/counters';

export interface Patience {
  /** How long one waits for guesses that are being checked. */
  readonly waitMsMax: number;
  readonly askAgainMs: number;
}

export interface Guess {
  /** Charges for it, or only looks where none is needed. */
  readonly charge: () => Promise<TakeResult | PeekResult>;
  /** Whether it is right; settles the charge. Not asked when nothing was charged: such a guess is known to be right. */
  readonly check: (taken: Take) => Promise<boolean>;
}

export interface PasswordLine {
  /** Nobody waits to be charged. */
  isIdle(): boolean;
  /** Nobody waits, and nobody is being checked. */
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
  let refused: { readonly upTo: number; readonly retryAfterMs: number } | null = null;
  let settled = 0;
  let wakeHead: (() => void) | null = null;

  /** Waits until a guess is settled that was not when `settled` was `seen`, but no longer than told. */
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

  /** The charge, or null when there was none to make. */
  async function enter(place: number, waitsUntil: number, charge: Guess['charge']): Promise<Take | null> {
    for (;;) {
      if (refused && place <= refused.upTo) throw rateLimited(refused.retryAfterMs);
      const seen = settled;
      const result = await charge();
      if (result.ok) return 'take' in result ? result.take : null;
      if (!result.undecided) {
        refused = { upTo: arrived, retryAfterMs: result.retryAfterMs };
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
