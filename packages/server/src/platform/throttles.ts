/**
 * The named throttles. A throttle for guesses is charged before the guess is checked and refunded when it was right, so
 * that parallel guesses cannot exceed the limit. A throttle against floods only counts.
 */
import { hash } from 'node:crypto';
import { AppError } from '#app-error';
import type { Budget, Counters, PeekResult, Rejection, Take, TakeResult } from './counters/counters.ts';
import { createLenientCounters } from './counters/lenient.ts';
import { noMetrics, type Metrics } from './metrics/metrics.ts';
import { throttleTable, type GuardName, type ThrottleName } from './throttle-budgets.ts';

/** What to charge: a throttle's name, and its subject. */
export type Charge<Name extends ThrottleName = ThrottleName> = readonly [name: Name, subject: string];

export type WeightedCharge = readonly [...Charge, weight: number];

/** Guesses of one kind of secret under one limit, for a caller who settles each guess. */
export interface GuessCounter {
  /** Charges for a guess of the subject's secret. The caller confirms or refunds it. */
  take(subject: string): Promise<TakeResult>;
  /** What `take` would return, without charging. */
  peek(subject: string): Promise<PeekResult>;
  confirm(take: Take): Promise<void>;
  giveBack(take: Take): Promise<void>;
}

export interface Throttles {
  /**
   * Counts a call. Charges all of the limits, or none.
   * @throws AppError RATE_LIMITED with the time after which to try again.
   */
  charge(...charges: Charge[]): Promise<void>;
  /**
   * Counts a call that may turn out to change nothing. The charge is made before the work, because no transaction may
   * wait for the counters. It is refunded unless the work calls `due` and succeeds. Beyond the limit `due` throws
   * RATE_LIMITED, so the work calls it once the permission is checked, before anything is committed.
   */
  chargeIfDue<Result>(charge: Charge, work: (due: () => void) => Promise<Result>): Promise<Result>;
  /**
   * Charges for a guess before it is checked. The charge stays when the guess was wrong, that is, when `check` returns
   * null. It is refunded when the guess was right, or when `check` throws because the guess could not be checked.
   * @throws AppError RATE_LIMITED, without checking.
   */
  guess<Right>(
    charges: readonly Charge<GuardName>[],
    check: () => Promise<Right | null>,
  ): Promise<Right | null>;
  guesses(name: GuardName): GuessCounter;
  /**
   * Counts a call, and its weight under a sliding window. Charges both, or neither.
   * @throws AppError RATE_LIMITED with the time after which to try again.
   */
  chargeWeighted(call: Charge, weight: WeightedCharge): Promise<void>;
  /** Counts a weight under a sliding window. Charges all of it, or nothing. @throws AppError as above. */
  chargeSliding(...charge: WeightedCharge): Promise<void>;
  /** Deletes windows that have ended. */
  sweep(): Promise<void>;
}

export interface ThrottlePorts {
  /** The store, which replicas share. */
  readonly counters: Counters;
  /** Counts while the store is unavailable, for throttles that guard no secret. */
  readonly inProcess: Counters;
  /** Limits in place of the default ones. */
  readonly budgets?: Readonly<Partial<Record<ThrottleName, Budget>>>;
  readonly metrics?: Pick<Metrics, 'throttled'>;
}

/** A take, and the counters that it came from. */
interface Charged {
  readonly take: Take;
  readonly counters: Counters;
}

export function createThrottles(ports: ThrottlePorts): Throttles {
  const { counters: strict, inProcess, budgets = {}, metrics = noMetrics } = ports;
  const lenient = createLenientCounters(strict, inProcess);
  const countersOf = (name: ThrottleName) => (throttleTable[name].guardsSecret ? strict : lenient);
  const budgetOf = (name: ThrottleName): Budget => budgets[name] ?? throttleTable[name];

  function rejection(name: ThrottleName, { retryAfterMs }: Pick<Rejection, 'retryAfterMs'>): AppError {
    metrics.throttled(name);
    return new AppError('RATE_LIMITED', { retryAfterMs });
  }

  async function take(name: ThrottleName, subject: string): Promise<Charged> {
    const counters = countersOf(name);
    const result = await counters.take(keyOf(name, subject), budgetOf(name));
    if (result.ok) return { take: result.take, counters };
    throw rejection(name, result);
  }

  async function takeSliding(name: ThrottleName, subject: string, weight: number): Promise<void> {
    const result = await countersOf(name).takeSliding(keyOf(name, subject), weight, budgetOf(name));
    if (!result.ok) throw rejection(name, result);
  }

  async function giveBack(charged: readonly Charged[]): Promise<void> {
    await Promise.all(charged.map(({ take: taken, counters }) => counters.giveBack(taken)));
  }

  async function takeAll(charges: readonly Charge[]): Promise<Charged[]> {
    const charged: Charged[] = [];
    try {
      for (const [name, subject] of charges) charged.push(await take(name, subject));
    } catch (error) {
      await giveBack(charged);
      throw error;
    }
    return charged;
  }

  return {
    async charge(...charges) {
      await takeAll(charges);
    },
    async chargeIfDue([name, subject], work) {
      const counters = countersOf(name);
      const result = await counters.take(keyOf(name, subject), budgetOf(name));
      let isDue = false;
      let isDone = false;
      try {
        const done = await work(() => {
          if (!result.ok) throw rejection(name, result);
          isDue = true;
        });
        isDone = true;
        return done;
      } finally {
        if (result.ok && !(isDue && isDone)) await counters.giveBack(result.take);
      }
    },
    async guess(charges, check) {
      const charged = await takeAll(charges);
      let right;
      try {
        right = await check();
      } catch (error) {
        await giveBack(charged);
        throw error;
      }
      if (right !== null) await giveBack(charged);
      return right;
    },
    guesses(name) {
      const counters = countersOf(name);
      const budget = budgetOf(name);
      return {
        async take(subject) {
          const result = await counters.take(keyOf(name, subject), budget);
          // An undecided guess is tried again.
          if (!result.ok && !result.undecided) metrics.throttled(name);
          return result;
        },
        peek: (subject) => counters.peek(keyOf(name, subject), budget),
        confirm: (taken) => counters.confirm(taken),
        giveBack: (taken) => counters.giveBack(taken),
      };
    },
    async chargeWeighted(call, weight) {
      const charged = await takeAll([call]);
      try {
        await takeSliding(...weight);
      } catch (error) {
        await giveBack(charged);
        throw error;
      }
    },
    chargeSliding: takeSliding,
    sweep: () => lenient.sweep(),
  };
}

/** A subject can be a network or an email address. Subjects are hashed, so that no counter store contains one. */
function keyOf(name: string, subject: string): string {
  return `${name}:${hash('sha256', subject, 'base64url').slice(0, 22)}`;
}
