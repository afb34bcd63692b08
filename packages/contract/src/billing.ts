/** What a workspace's plan allows, the subscription that pays for it, and the payment provider's events. */
import Type, { type Static } from 'typebox';
import { Plan } from './quota.ts';
import { closed, recordId, timestamp } from './schema.ts';

export const subscriptionStatuses = [
  'active',
  'trialing',
  'past_due',
  'canceled',
  'unpaid',
  'incomplete',
  'incomplete_expired',
  'paused',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export const Subscription = closed(
  {
    status: Type.Enum([...subscriptionStatuses], {
      description: 'The plan is paid for while it is `active`, `trialing` or `past_due`.',
    }),
    currentPeriodEnd: Type.Optional(timestamp),
    cancelAtPeriodEnd: Type.Optional(Type.Boolean()),
  },
  { title: 'Subscription' },
);
export type Subscription = Static<typeof Subscription>;

const count = Type.Integer({ minimum: 0 });

export const BillingPlan = closed(
  {
    workspaceId: recordId('ws'),
    plan: Plan,
    limits: closed({
      daily: count,
      weekly: count,
      retentionDays: Type.Integer({ minimum: 1 }),
      activeShares: Type.Integer({ minimum: 0, description: 'Active share links per report.' }),
    }),
    subscription: Type.Optional(Subscription),
  },
  { title: 'BillingPlan' },
);
export type BillingPlan = Static<typeof BillingPlan>;

/**
 * Accepts unknown fields, since the provider may add some. The fields of `data.object` depend on the type of the event.
 */
export const BillingEvent = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,255}$' }),
    type: Type.String(),
    created: Type.Integer({
      minimum: 0,
      maximum: 99_999_999_999,
      description: 'Seconds since 1970-01-01 UTC.',
    }),
    data: Type.Object({ object: Type.Object({}) }),
  },
  { title: 'BillingEvent', description: 'An event in the format of Stripe.' },
);
export type BillingEvent = Static<typeof BillingEvent>;

/** Why an event changed nothing. */
export const billingEventReasons = [
  'another_type',
  'unreadable',
  'unknown_status',
  'unknown_lookup_key',
  'unknown_workspace',
  'seen_before',
  'older_event',
] as const;
export type BillingEventReason = (typeof billingEventReasons)[number];

export const BillingEventTaken = closed(
  { applied: Type.Boolean(), reason: Type.Optional(Type.Enum([...billingEventReasons])) },
  { title: 'BillingEventTaken', description: 'Stripe shows this response with each delivery.' },
);
export type BillingEventTaken = Static<typeof BillingEventTaken>;
