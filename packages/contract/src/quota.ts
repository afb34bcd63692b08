/** Plans and the cloud-report quota. */
import Type, { type Static } from 'typebox';
import { closed, timestamp } from './schema.ts';

export const plans = ['free', 'pro', 'team', 'enterprise'] as const;
export type Plan = (typeof plans)[number];
export const Plan = Type.Enum([...plans]);

export const QuotaWindow = closed(
  { used: Type.Integer({ minimum: 0 }), limit: Type.Integer({ minimum: 0 }), resetsAt: timestamp },
  { title: 'QuotaWindow' },
);
export type QuotaWindow = Static<typeof QuotaWindow>;

export const Quota = closed(
  {
    eligible: Type.Boolean({ description: 'If false, clients must not offer cloud sync.' }),
    daily: QuotaWindow,
    weekly: QuotaWindow,
    retentionDays: Type.Integer({ minimum: 1 }),
    plan: Plan,
    blockedBy: Type.Optional(Type.Enum(['daily', 'weekly'], { description: 'Absent if eligible.' })),
  },
  { title: 'Quota' },
);
export type Quota = Static<typeof Quota>;
