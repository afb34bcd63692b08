/**
 * What an event says about a subscription, which of two events is newer, and which plan the subscriptions of a
 * workspace pay for.
 */
import {
  plans,
  subscriptionStatuses,
  type BillingEvent,
  type BillingEventReason,
  type Plan,
  type SubscriptionStatus,
} from '@svc/contract';

/**
 * The event types that are read, in their order within one second. A subscription has no events after its deletion.
 */
const ranks = new Map([
  ['customer.subscription.created', 0],
  ['customer.subscription.updated', 1],
  ['customer.subscription.deleted', 2],
]);
const DELETED_RANK = 2;

/** While a payment is overdue, the provider tries again, and reports the result in the end. */
const paying: ReadonlySet<SubscriptionStatus> = new Set(['active', 'trialing', 'past_due']);

export interface SubscriptionState {
  readonly id: string;
  /** The id as the event has it, unchecked: any text. */
  readonly workspaceId: string;
  readonly status: SubscriptionStatus;
  readonly plan: Plan | null;
  readonly currentPeriodEnd: number | null;
  readonly cancelAtPeriodEnd: 0 | 1;
  readonly eventAt: number;
  readonly eventRank: number;
  readonly eventId: string;
}

export type Reading =
  | { readonly state: SubscriptionState; readonly reason?: never; readonly about?: never }
  | {
      readonly reason: BillingEventReason;
      readonly about: { readonly subscriptionId?: string };
      readonly state?: never;
    };

/** The fields of a subscription that are read. Each may be missing or of another type. */
interface SubscriptionGiven {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly metadata?: { readonly workspaceId?: unknown } | null;
  readonly items?: { readonly data?: readonly (ItemGiven | null)[] } | null;
  readonly current_period_end?: unknown;
  readonly cancel_at_period_end?: unknown;
  readonly cancel_at?: unknown;
}
interface ItemGiven {
  readonly price?: { readonly lookup_key?: unknown } | null;
  readonly current_period_end?: unknown;
}

/** A pure function of the event, so that the result does not depend on when the event arrives. */
export function readEvent({ id: eventId, type, created, data }: BillingEvent): Reading {
  const eventRank = ranks.get(type);
  if (eventRank === undefined) return { reason: 'another_type', about: {} };
  const given = data.object as SubscriptionGiven;
  const { id } = given;
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,255}$/.test(id))
    return { reason: 'unreadable', about: {} };
  const rejected = (reason: BillingEventReason) => ({ reason, about: { subscriptionId: id } });
  const status = eventRank === DELETED_RANK ? 'canceled' : statusOf(given.status);
  if (status === null) return rejected('unknown_status');
  const workspaceId = given.metadata?.workspaceId;
  if (typeof workspaceId !== 'string') return rejected('unknown_workspace');
  const item = firstItem(given);
  const plan = planOfKey(item?.price?.lookup_key);
  // Only a subscription that pays needs a plan. The key of an old price may have moved to a new one.
  if (plan === null && paying.has(status)) return rejected('unknown_lookup_key');
  const currentPeriodEnd = timeOf(item?.current_period_end) ?? timeOf(given.current_period_end);
  return {
    state: {
      id,
      workspaceId,
      status,
      plan,
      currentPeriodEnd,
      cancelAtPeriodEnd: endsWithPeriod(given, currentPeriodEnd) ? 1 : 0,
      eventAt: created * 1000,
      eventRank,
      eventId,
    },
  };
}

function statusOf(given: unknown): SubscriptionStatus | null {
  return subscriptionStatuses.find((status) => status === given) ?? null;
}

function firstItem({ items }: SubscriptionGiven): ItemGiven | null {
  const data = items?.data;
  return Array.isArray(data) ? ((data[0] as ItemGiven | null | undefined) ?? null) : null;
}

/** The plan that a key names before its first `_` or `-`: `pro`, `pro_yearly` and `pro-eur` name the same plan. */
export function planOfKey(key: unknown): Plan | null {
  if (typeof key !== 'string') return null;
  const [name] = key.split(/[_-]/, 1);
  return plans.find((plan) => plan === name) ?? null;
}

/** Converts from seconds since 1970. */
function timeOf(given: unknown): number | null {
  const isTime =
    typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= 99_999_999_999;
  return isTime ? given * 1000 : null;
}

/** Whether the subscription ends with its current period. The provider has two fields for this. */
function endsWithPeriod(given: SubscriptionGiven, currentPeriodEnd: number | null): boolean {
  if (given.cancel_at_period_end === true) return true;
  const cancelAt = timeOf(given.cancel_at);
  return cancelAt !== null && currentPeriodEnd !== null && cancelAt <= currentPeriodEnd;
}

type EventOrder = Pick<SubscriptionState, 'eventAt' | 'eventRank' | 'eventId'>;

/**
 * Whether an event is newer than another of the same subscription. Within one second a creation is first and a deletion
 * last. The others have no order of their own, so their ids decide, which gives the same result in any order of
 * arrival.
 */
export function isNewer(one: EventOrder, other: EventOrder): boolean {
  const difference = one.eventAt - other.eventAt || one.eventRank - other.eventRank;
  return difference === 0 ? one.eventId > other.eventId : difference > 0;
}

type Paid = Pick<SubscriptionState, 'status' | 'plan'>;

const worth = ({ status, plan }: Paid) => (paying.has(status) && plan !== null ? plans.indexOf(plan) : -1);

/** The highest plan that any of the subscriptions pays for. */
export function planPaid(subscriptions: readonly Paid[]): Plan {
  const highest = Math.max(0, ...subscriptions.map(worth));
  return plans[highest] ?? 'free';
}

/** The subscription that pays for the plan, else the one with the newest event. */
export function shownOf<Given extends Paid & EventOrder & Pick<SubscriptionState, 'id'>>(
  subscriptions: readonly Given[],
): Given | null {
  const [shown] = subscriptions.toSorted(
    (one, other) => worth(other) - worth(one) || other.eventAt - one.eventAt || (one.id < other.id ? -1 : 1),
  );
  return shown ?? null;
}
