/**
 * The named throttles: which budget guards what. A throttle that guards a guess is charged before the guess is checked
 * and given back when it was right, so that parallel guesses can not outrun it; one that guards against floods just counts.
 */
import { hash } from 'node:crypto';
import { closed } from '@svc/contract';
import Type from 'typebox';
import { AppError } from '#app-error';
import { resourceBudgetFields } from './resource-budgets.ts';
import type { Budget, Counters, PeekResult, Take, TakeResult } from './counters/counters.ts';
import { CreationCapsSchema } from './creation-caps.ts';
import { OutgoingBudgetsSchema } from './outgoing-budgets.ts';

export const defaultThrottleBudgets = {
  loginAccount: { limit: 10, windowMs: 15 * 60_000 },
  loginNetwork: { limit: 50, windowMs: 15 * 60_000 },
  confirmAccount: { limit: 10, windowMs: 15 * 60_000 },
  recoverAccount: { limit: 5, windowMs: 60 * 60_000 },
  recoverNetwork: { limit: 20, windowMs: 60 * 60_000 },
  signupNetwork: { limit: 20, windowMs: 60 * 60_000 },
  deviceLinkNetwork: { limit: 30, windowMs: 10 * 60_000 },
} as const satisfies Record<string, Budget>;

const BudgetSchema = closed({
  limit: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  windowMs: Type.Integer({ minimum: 1000, maximum: 31 * 86_400_000 }),
});

/** The form of the operator's file (`THROTTLES_PATH`): any of the budgets; those left out stay as they are. */
export const ThrottleBudgetsSchema = closed({
  loginAccount: Type.Optional(BudgetSchema),
  loginNetwork: Type.Optional(BudgetSchema),
  confirmAccount: Type.Optional(BudgetSchema),
  recoverAccount: Type.Optional(BudgetSchema),
  recoverNetwork: Type.Optional(BudgetSchema),
  signupNetwork: Type.Optional(BudgetSchema),
  deviceLinkNetwork: Type.Optional(BudgetSchema),
  creations: Type.Optional(CreationCapsSchema),
  outgoingBytes: Type.Optional(OutgoingBudgetsSchema),
  ...resourceBudgetFields,
});

export type ThrottleName = keyof typeof defaultThrottleBudgets;
export type ThrottleBudgets = Readonly<Record<ThrottleName, Budget>>;

/** What to charge: a throttle's name, and who or what is counted. */
export type Charge = readonly [name: ThrottleName, subject: string];

/** Guesses at one kind of secret under one budget, for a caller who decides what becomes of each. */
export interface GuessCounter {
  /** Charges for a guess at the subject's secret. The caller confirms it or gives it back. */
  take(subject: string): Promise<TakeResult>;
  /** What `take` would say, without charging. */
  peek(subject: string): Promise<PeekResult>;
  confirm(take: Take): Promise<void>;
  giveBack(take: Take): Promise<void>;
}

export interface Throttles {
  /**
   * Counts a call. Charges all of the budgets, or none.
   * @throws AppError RATE_LIMITED with the time after which to try again.
   */
  charge(...charges: Charge[]): Promise<void>;
  /**
   * Charges for a guess before it is checked. The charge stands when the guess was wrong, which `check` tells by null; it
   * is given back when the guess was right, and when it could not be checked, which `check` tells by throwing.
   * @throws AppError RATE_LIMITED, without checking.
   */
  guess<Right>(charges: readonly Charge[], check: () => Promise<Right | null>): Promise<Right | null>;
  /** For a budget that is part of the interface and no operator's to change. */
  guesses(name: string, budget: Budget): GuessCounter;
  /** As `charge`, for a budget that is part of the interface and no operator's to change. */
  chargeFixed(name: string, subject: string, budget: Budget): Promise<void>;
  /** As `chargeFixed`, for so many at once under a window that slides. Charges all of them, or none. */
  chargeSliding(name: string, subject: string, weight: number, budget: Budget): Promise<void>;
}

export function createThrottles(counters: Counters, budgets: ThrottleBudgets): Throttles {
  async function take(name: string, subject: string, budget: Budget): Promise<Take> {
    const result = await counters.take(keyOf(name, subject), budget);
    if (result.ok) return result.take;
    throw new AppError('RATE_LIMITED', { retryAfterMs: result.retryAfterMs });
  }

  async function giveBack(takes: readonly Take[]): Promise<void> {
    await Promise.all(takes.map((taken) => counters.giveBack(taken)));
  }

  async function takeAll(charges: readonly Charge[]): Promise<Take[]> {
    const takes: Take[] = [];
    try {
      for (const [name, subject] of charges) takes.push(await take(name, subject, budgets[name]));
    } catch (refusal) {
      await giveBack(takes);
      throw refusal;
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
      take: (subject) => counters.take(keyOf(name, subject), budget),
      peek: (subject) => counters.peek(keyOf(name, subject), budget),
      confirm: (taken) => counters.confirm(taken),
      giveBack: (taken) => counters.giveBack(taken),
    }),
    async chargeFixed(name, subject, budget) {
      await take(name, subject, budget);
    },
    async chargeSliding(name, subject, weight, budget) {
      const result = await counters.takeSliding(keyOf(name, subject), weight, budget);
      if (!result.ok) throw new AppError('RATE_LIMITED', { retryAfterMs: result.retryAfterMs });
    },
  };
}

/** Subjects are addresses and emails: hashed, so that a counter store holds neither. */
function keyOf(name: string, subject: string): string {
  return `${name}:${hash('sha256', subject, 'base64url').slice(0, 22)}`;
}
