/** The support accesses to a report with their exact reasons, for its owner. */
import type { ReportRead } from '@svc/contract';
import { counted } from '../../lib/format.ts';
import { InOrder } from '../../ui/in-order.tsx';
import { Time } from '../../ui/time.tsx';

type Access = ReportRead['supportAccesses'][number];

export function SupportAccesses({ accesses }: { readonly accesses: readonly Access[] }) {
  if (accesses.length === 0) return null;
  const byReason = Map.groupBy(accesses, ({ reason }) => reason);
  return (
    <section aria-label="Read by support" className="flex flex-col gap-2 border-l-2 border-edge pl-3">
      <p>
        <span className="font-strong">Read by support</span> {counted(accesses.length, 'time')}, for{' '}
        {byReason.size === 1 ? 'this reason' : 'these reasons'}:
      </p>
      <ul className="flex flex-col gap-3">
        {[...byReason].map(([reason, times]) => (
          <li key={reason} className="flex flex-col gap-1">
            <p dir="auto" className="max-w-prose whitespace-pre-line">
              {reason}
            </p>
            <Times times={times} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const UNFOLDED_MAX = 3;

function Times({ times }: { readonly times: readonly Access[] }) {
  const newest = times.toReversed();
  const list = (
    <ul className="flex flex-wrap gap-x-4">
      <InOrder of={newest}>
        {({ at }) => (
          <li>
            <Time at={at} />
          </li>
        )}
      </InOrder>
    </ul>
  );
  if (times.length <= UNFOLDED_MAX) return <div className="text-small text-quiet">{list}</div>;
  return (
    <details className="text-small text-quiet">
      <summary>
        {counted(times.length, 'time')}, last <Time at={newest[0]?.at ?? ''} />
      </summary>
      {list}
    </details>
  );
}
