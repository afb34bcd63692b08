/** Every throttle: its limit, and whether it guards a secret. */
import { closed, limits } from '@svc/contract';
import Type from 'typebox';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './clock.ts';
import type { Budget } from './counters/counters.ts';
import { CreationCapsSchema } from './creation-caps.ts';
import { OutgoingBudgetsSchema } from './outgoing-budgets.ts';
import { resourceBudgetFields } from './resource-budgets.ts';

interface Throttle extends Budget {
  /**
   * Whether calls can guess a secret. Then they are denied while the counters are unavailable. All other throttles
   * count in the process meanwhile.
   */
  readonly guardsSecret: boolean;
}

/** The throttles whose limits the operator's file can replace. */
const configurable = {
  loginAccount: { limit: 10, windowMs: 15 * MINUTE_MS, guardsSecret: true },
  loginNetwork: { limit: 50, windowMs: 15 * MINUTE_MS, guardsSecret: true },
  confirmAccount: { limit: 10, windowMs: 15 * MINUTE_MS, guardsSecret: true },
  recoverAccount: { limit: 5, windowMs: HOUR_MS, guardsSecret: true },
  recoverNetwork: { limit: 20, windowMs: HOUR_MS, guardsSecret: true },
  // A sign-up can guess the setup token or an invitation.
  signupNetwork: { limit: 20, windowMs: HOUR_MS, guardsSecret: true },
  // Guesses of a link's verifier are counted in the row of the link.
  deviceLinkNetwork: { limit: 30, windowMs: 10 * MINUTE_MS, guardsSecret: false },
  /** Reports, shares, projects, workspaces and invitations that are created or deleted, together. */
  recordsAccount: { limit: 600, windowMs: HOUR_MS, guardsSecret: false },
  decisionQueries: { limit: 6, windowMs: MINUTE_MS, guardsSecret: false },
  decisionFingerprints: { limit: 60_000, windowMs: HOUR_MS, guardsSecret: false },
  decidedFindings: { limit: 20_000, windowMs: HOUR_MS, guardsSecret: false },
} as const satisfies Record<string, Throttle>;

/** The throttles whose limits are part of the API. */
const fixed = {
  sharePassword: { ...limits.share.wrongPasswords, guardsSecret: true },
  deviceLinkPoll: { limit: 1, windowMs: limits.deviceLinkPollsApartMs, guardsSecret: false },
  progress: { limit: limits.progressEventsPerMinuteMax, windowMs: MINUTE_MS, guardsSecret: false },
  analytics: { limit: limits.analytics.eventsPerDayMax, windowMs: DAY_MS, guardsSecret: false },
} as const satisfies Record<string, Throttle>;

export const throttleTable = { ...configurable, ...fixed };

type Table = typeof throttleTable;
export type ThrottleName = keyof Table;
/** The throttles that guard a secret. */
export type GuardName = {
  [Name in ThrottleName]: Table[Name]['guardsSecret'] extends true ? Name : never;
}[ThrottleName];

const BudgetSchema = closed({
  limit: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  windowMs: Type.Integer({ minimum: 1000, maximum: 31 * DAY_MS }),
});

const budgetFields = Object.fromEntries(
  Object.keys(configurable).map((name) => [name, Type.Optional(BudgetSchema)]),
) as Record<keyof typeof configurable, Type.TOptional<typeof BudgetSchema>>;

/** The format of the operator's file (`THROTTLES_PATH`). What is absent keeps its default. */
export const ThrottlesSchema = closed({
  ...budgetFields,
  creations: Type.Optional(CreationCapsSchema),
  outgoingBytes: Type.Optional(OutgoingBudgetsSchema),
  ...resourceBudgetFields,
});
