/** The state of the subscription that pays for a workspace's plan. */
import type { Subscription } from '@svc/contract';
import { day, exactly } from '../../lib/words.ts';

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
          Payment is overdue. The plan stays for as long as the payment is tried again.
        </p>
      );
    case 'unpaid':
      return <p className="font-strong text-danger-text">The subscription is unpaid and pays for no plan.</p>;
    case 'incomplete':
      return <p>A subscription waits for its first payment.</p>;
    case 'paused':
      return <p>The subscription is paused and pays for no plan.</p>;
    case 'incomplete_expired':
    case 'canceled':
      return <p>The subscription has ended.</p>;
  }
}

function Day({ at }: { readonly at: string }) {
  const time = new Date(at);
  return (
    <time dateTime={at} title={exactly(time)}>
      {day(time)}
    </time>
  );
}
