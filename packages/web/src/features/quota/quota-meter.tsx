/** How much of the daily and weekly quota of cloud reports is used, and when each resets. */
import type { Quota, QuotaWindow } from '@svc/contract';
import { Time } from '../../ui/time.tsx';

export function QuotaMeter({ quota }: { readonly quota: Quota }) {
  return (
    <div className="@container">
      <div className="grid gap-x-8 gap-y-4 @md:grid-cols-2">
        <Meter title="Today" window={quota.daily} />
        <Meter title="This week" window={quota.weekly} />
      </div>
    </div>
  );
}

function Meter({
  title,
  window: { used, limit, resetsAt },
}: {
  readonly title: string;
  readonly window: QuotaWindow;
}) {
  const isUsedUp = used >= limit;
  const words = `${used.toLocaleString('en')} of ${limit.toLocaleString('en')} cloud reports`;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex items-baseline justify-between gap-2">
        <span className="shrink-0 font-strong">{title}</span>
        <span className="nums">{words}</span>
      </p>
      <div
        role="meter"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={words}
        className="flex h-1.5 overflow-hidden rounded-full bg-line"
      >
        <div
          className={isUsedUp ? 'bg-danger' : 'bg-accent'}
          style={{ width: `${limit === 0 ? 100 : Math.min(100, (100 * used) / limit)}%` }}
        />
      </div>
      <p className="text-small text-quiet">
        {isUsedUp ? 'Limit reached. ' : ''}Resets <Time at={resetsAt} />
      </p>
    </div>
  );
}
