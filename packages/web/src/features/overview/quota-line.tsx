/** The quota of a workspace's plan, in one line. */
import type { Quota, QuotaWindow } from '@svc/contract';
import { Time } from '../../ui/time.tsx';

export function QuotaLine({ quota: { daily, weekly, blockedBy } }: { readonly quota: Quota }) {
  const isUsedUp = blockedBy !== undefined;
  return (
    <p className={`text-small nums ${isUsedUp ? 'text-danger-text' : 'text-quiet'}`}>
      {partOf(daily)} cloud reports today, {partOf(weekly)} this week
      {isUsedUp ? (
        <>
          . Limit reached: resets <Time at={(blockedBy === 'daily' ? daily : weekly).resetsAt} />
        </>
      ) : null}
    </p>
  );
}

function partOf({ used, limit }: QuotaWindow): string {
  return `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`;
}
