/** The budgets of simultaneous work, in the operator's file beside the rate limits (`throttles.ts`). */
import { closed } from '@svc/contract';
import Type, { type Static } from 'typebox';

/** Estimated processor time of the renderings that run or wait at one time. */
export interface RenderingBudgets {
  /** The limit for one owner's reports: once for the owner and members, and once for all share links together. */
  readonly ownerMs: number;
  /** The limit through one share link. */
  readonly linkMs: number;
  /** The limit for requests from one network. */
  readonly networkMs: number;
}

export interface ResourceBudgets {
  readonly rendering: RenderingBudgets;
}

const defaultResourceBudgets: ResourceBudgets = {
  rendering: { ownerMs: 60_000, linkMs: 30_000, networkMs: 60_000 },
};

const milliseconds = Type.Optional(Type.Integer({ minimum: 1000, maximum: 86_400_000 }));

/** Fields of the operator's file. Absent ones have their default. */
export const resourceBudgetFields = {
  rendering: Type.Optional(closed({ ownerMs: milliseconds, linkMs: milliseconds, networkMs: milliseconds })),
};

const GivenBudgets = closed(resourceBudgetFields);

export function resourceBudgetsWith({ rendering }: Static<typeof GivenBudgets>): ResourceBudgets {
  return { rendering: { ...defaultResourceBudgets.rendering, ...rendering } };
}
