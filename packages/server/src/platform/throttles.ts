/**
 * The named throttles, and the limit of each. A throttle for guesses is charged before the guess is checked and
 * refunded when it was right, so that parallel guesses cannot exceed the limit. A throttle against floods only counts.
 */
import { hash } from 'node:crypto';
import { closed } from '@svc/contract';
import Type from 'typebox';
import { AppError } from '#app-error';
import { resourceBudgetFields } from './resource-budgets.ts';
import type { Budget, Counters, PeekResult, Take, TakeResult } from './counters/counters.ts';
import { CreationCapsSchema } from './creation-caps.ts';
import { noMetrics, type Metrics } from './metrics/metrics.ts';
import { OutgoingBudgetsSchema } from './outgoing-budgets.ts';

export const defaultThrottleBudgets = {
  loginAccount: { limit: 10, windowMs: 15 * 60_000 },
  loginNetwork: { limit: 50, windowMs: 15 * 60_000 },
  confirmAccount: { limit: 10, windowMs: 15 * 60_000 },
  recoverAccount: { limit: 5, windowMs: 60 * 60_000 },
  recoverNetwork: { limit: 20, windowMs: 60 * 60_000 },
  signupNetwork: { limit: 20, windowMs: 60 * 60_000 },
  deviceLinkNetwork: { limit: 30, windowMs: 10 * 60_000 },
  decisionQueries: { limit: 6, windowMs: 60_000 },
  decisionFingerprints: { limit: 60_000, windowMs: 60 * 60_000 },
  decidedFindings: { limit: 20_000, windowMs: 60 * 60_000 },
} as const satisfies Record<string, Budget>;

const BudgetSchema = closed({
  limit: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  windowMs: Type.Integer({ minimum: 1000, maximum: 31 * 86_400_000 }),
});

/** The format of the operator's file (`THROTTLES_PATH`): any of the limits; absent ones keep their default. */
export const ThrottleBudgetsSchema = closed({
  loginAccount: Type.Optional(BudgetSchema),
  loginNetwork: Type.Optional(BudgetSchema),
  confirmAccount: Type.Optional(BudgetSchema),
  recoverAccount: Type.Optional(BudgetSchema),
  recoverNetwork: Type.Optional(BudgetSchema),
  signupNetwork: Type.Optional(BudgetSchema),
  deviceLinkNetwork: Type.Optional(BudgetSchema),
  decisionQueries: Type.Optional(BudgetSchema),
  decisionFingerprints: Type.Optional(BudgetSchema),
  decidedFindings: Type.Optional(BudgetSchema),
  creations: Type.Optional(CreationCapsSchema),
  outgoingBytes: Type.Optional(OutgoingBudgetsSchema),
  ...resourceBudgetFields,
});

export type ThrottleName = keyof typeof defaultThrottleBudgets;
export type ThrottleBudgets = Readonly<Record<ThrottleName, Budget>>;

/** What to charge: a throttle's name, and its subject. */
export type Charge = readonly [name: ThrottleName, subject: string];

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
   * Charges for a guess before it is checked. The charge stays when the guess was wrong, that is, when `check` returns
   * null. It is refunded when the guess was right, or when `check` throws because the guess could not be checked.
   * @throws AppError RATE_LIMITED, without checking.
   */
  guess<Right>(charges: readonly Charge[], check: () => Promise<Right | null>): Promise<Right | null>;
  /** The counter of a limit that is part of the API and cannot be configured. */
  guesses(name: string, budget: Budget): GuessCounter;
  /** Like `charge`, for a limit that is part of the API and cannot be configured. */
  chargeFixed(name: string, subject: string, budget: Budget): Promise<void>;
  /**
   * Counts a call, and its weight under a sliding window. Charges both, or neither.
   * @throws AppError RATE_LIMITED with the time after which to try again.
   */
  chargeWeighted(call: Charge, weight: WeightedCharge): Promise<void>;
  /** Counts a weight under a sliding window. Charges all of it, or nothing. @throws AppError as `charge` does. */
  chargeWeight(...charge: WeightedCharge): Promise<void>;
  /** Like `chargeFixed`, for a weight under a sliding window. Charges all of it, or nothing. */
  chargeSliding(name: string, subject: string, weight: number, budget: Budget): Promise<void>;
}

export function createThrottles(
  counters: Counters,
  budgets: ThrottleBudgets,
  metrics: Pick<Metrics, 'throttled'> = noMetrics,
): Throttles {
  async function take(name: string, subject: string, budget: Budget): Promise<Take> {
    const result = await counters.take(keyOf(name, subject), budget);
    if (result.ok) return result.take;
    metrics.throttled(name);
    throw new AppError('RATE_LIMITED', { retryAfterMs: result.retryAfterMs });
  }

  async function takeSliding(name: string, subject: string, weight: number, budget: Budget): Promise<void> {
    const result = await counters.takeSliding(keyOf(name, subject), weight, budget);
    if (result.ok) return;
    metrics.throttled(name);
    throw new AppError('RATE_LIMITED', { retryAfterMs: result.retryAfterMs });
  }

  async function giveBack(takes: readonly Take[]): Promise<void> {
    await Promise.all(takes.map((taken) => counters.giveBack(taken)));
  }

  async function takeAll(charges: readonly Charge[]): Promise<Take[]> {
    const takes: Take[] = [];
    try {
      for (const [name, subject] of charges) takes.push(await take(name, subject, budgets[name]));
    } catch (rejection) {
      await giveBack(takes);
      throw rejection;
    }
    return takes;
  }

  return {
    async charge(...charges) {
      await takeAll(charges);
    },
    async guess(charges, check) {
      const takes = await takeAll(charges);
      let right;
      try {
        right = await check();
      } catch (error) {
        await giveBack(takes);
        throw error;
      }
      if (right !== null) await giveBack(takes);
      return right;
    },
    guesses: (name, budget) => ({
      async take(subject) {
        const result = await counters.take(keyOf(name, subject), budget);
        // An undecided guess is tried again.
        if (!result.ok && !result.undecided) metrics.throttled(name);
        return result;
      },
      peek: (subject) => counters.peek(keyOf(name, subject), budget),
      confirm: (taken) => counters.confirm(taken),
      giveBack: (taken) => counters.giveBack(taken),
    }),
    async chargeFixed(name, subject, budget) {
      await take(name, subject, budget);
    },
    async chargeWeighted(call, [name, subject, weight]) {
      const takes = await takeAll([call]);
      try {
        await takeSliding(name, subject, weight, budgets[name]);
      } catch (rejection) {
        await giveBack(takes);
        throw rejection;
      }
    },
    chargeWeight: (name, subject, weight) => takeSliding(name, subject, weight, budgets[name]),
    chargeSliding: takeSliding,
  };
}

/** A subject can be a network or an email address. Subjects are hashed, so that no counter store contains one. */
function keyOf(name: string, subject: string): string {
  return `${name}:${hash('sha256', subject, 'base64url').slice(0, 22)}`;
}
