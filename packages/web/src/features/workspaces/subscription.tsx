/** The state of the subscription that pays for a workspace's plan. */
import type { Subscription } from '@svc/contract';
import { day, exactTime } from '../../lib/format.ts';

export function SubscriptionState({ subscription }: { readonly subscription: Subscription }) {
  const { status, currentPeriodEnd, cancelAtPeriodEnd } = subscription;
  switch (status) {
    case 'active':
    case 'trialing': {
      if (currentPeriodEnd === undefined) return <p>Paid by a subscription.</p>;
      const until = status === 'trialing' ? 'On trial until' : 'Paid until';
      return (
        <p>
          {cancelAtPeriodEnd ? 'Ends on' : until} <Day at={currentPeriodEnd} />.
        </p>
      );
    }
    case 'past_due':
      return (
        <p className="font-strong text-danger-text">
          Payment is overdue. The plan stays active while the payment is retried.
        </p>
      );
    case 'unpaid':
      return (
        <p className="font-strong text-danger-text">
          The subscription is unpaid, so the paid plan is not active.
        </p>
      );
    case 'incomplete':
      return <p>The subscription is waiting for its first payment.</p>;
    case 'paused':
      return <p>The subscription is paused, so the paid plan is not active.</p>;
    case 'incomplete_expired':
    case 'canceled':
      return <p>The subscription has ended.</p>;
  }
}

function Day({ at }: { readonly at: string }) {
  const time = new Date(at);
  return (
    <time dateTime={at} title={exactTime(time)}>
      {day(time)}
    </time>
  );
}
