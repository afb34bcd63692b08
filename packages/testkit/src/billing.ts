/**
 * Builds events in the payment provider's format, with its signature. Does not use the provider's library, because
 * the service verifies the events with that library.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { BillingEventTaken } from '@svc/contract';
import type { Clock } from '@svc/server/ports';
import type { Actors } from './actors.ts';

/** The secret for servers that accept events. */
export const BILLING_SECRET = 'whsec_of_tests_and_of_nobody_else';
export const SIGNATURE_HEADER = 'stripe-signature';

export interface Signing {
  readonly secret?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The value of the signature header. */
export function signatureOf(payload: string | Uint8Array, { secret = BILLING_SECRET, at }: Signing): string {
  const seconds = Math.floor(at / 1000);
  const hash = createHmac('sha256', secret).update(`${seconds}.`).update(payload).digest('hex');
  return `t=${seconds},v1=${hash}`;
}

export interface EventGiven {
  readonly id?: string;
  /** The part of the event's type after `customer.subscription.`; default `updated`. */
  readonly what?: 'created' | 'updated' | 'deleted';
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly subscription?: string;
  readonly workspaceId: string;
  readonly lookupKey?: string | null;
  readonly status?: string;
  /** Additional or replaced fields of the subscription. */
  readonly also?: Readonly<Record<string, unknown>>;
}

export const newEventId = () => `evt_${randomBytes(12).toString('hex')}`;
export const newSubscriptionId = () => `sub_${randomBytes(9).toString('hex')}`;

/** An event with more fields than the service reads, like the provider's events. */
export function subscriptionEvent({ what = 'updated', at, ...given }: EventGiven) {
  const created = Math.floor(at / 1000);
  return {
    id: given.id ?? newEventId(),
    object: 'event',
    api_version: '2025-09-30.clover',
    created,
    type: `customer.subscription.${what}`,
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    data: {
      object: {
        id: given.subscription ?? newSubscriptionId(),
        object: 'subscription',
        status: given.status ?? (what === 'deleted' ? 'canceled' : 'active'),
        customer: 'cus_of_somebody',
        metadata: { workspaceId: given.workspaceId },
        cancel_at_period_end: false,
        cancel_at: null,
        items: {
          object: 'list',
          data: [
            {
              id: 'si_first',
              current_period_end: created + 30 * 86_400,
              price: {
                id: 'price_first',
                lookup_key: given.lookupKey === undefined ? 'pro' : given.lookupKey,
              },
            },
          ],
        },
        ...given.also,
      },
    },
  };
}

/** Sends a signed event. Resolves to the response, which must have status 200. */
export async function sendEvent(
  to: Pick<Actors, 'anonymous'> & { readonly clock: Clock },
  event: unknown,
): Promise<BillingEventTaken> {
  const body = JSON.stringify(event);
  const response = await to.anonymous.fetch('/api/v1/billing/webhook', {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      [SIGNATURE_HEADER]: signatureOf(body, { at: to.clock.now() }),
    },
  });
  if (response.status !== 200) throw new Error(`the event was answered with ${response.status}`);
  if (response.headers.has('set-cookie')) throw new Error('the response to an event sets a cookie');
  return (await response.json()) as BillingEventTaken;
}
