/** What each plan allows. An operator can replace the table (`PLANS_PATH`). */
import { closed, plans, type Plan } from '@svc/contract';
import Type from 'typebox';
import type { PlanLimits } from './policy.ts';

export type PlanTable = Readonly<Record<Plan, PlanLimits>>;

export const defaultPlans: PlanTable = {
  free: { daily: 5, weekly: 15, retentionDays: 21, activeShares: 5 },
  pro: { daily: 50, weekly: 200, retentionDays: 90, activeShares: 25 },
  team: { daily: 200, weekly: 1000, retentionDays: 180, activeShares: 100 },
  enterprise: { daily: 2000, weekly: 10_000, retentionDays: 365, activeShares: 1000 },
};

const count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const Limits = closed({
  daily: count,
  weekly: count,
  retentionDays: Type.Integer({ minimum: 1, maximum: 36_500 }),
  activeShares: count,
});

/** The format of the operator's file: every plan, each with all four numbers. */
export const PlanTableSchema = closed({
  [plans[0]]: Limits,
  [plans[1]]: Limits,
  [plans[2]]: Limits,
  [plans[3]]: Limits,
});
