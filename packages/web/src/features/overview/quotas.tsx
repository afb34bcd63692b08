/** What the plans of an account's workspaces leave. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Workspace } from '@svc/contract';
import { query } from '../../lib/api.ts';
import { QuotaMeter } from '../quota/quota-meter.tsx';
import { planWords } from '../workspaces/words.ts';

/** Usage is counted over all workspaces; how much there may be depends on the plan, so each plan is shown once. */
export function Quotas({ workspaces }: { readonly workspaces: readonly Workspace[] }) {
  const firsts = workspaces.filter(
    ({ plan }, index) => workspaces.findIndex((other) => other.plan === plan) === index,
  );
  return firsts.map((workspace) => <QuotaOf key={workspace.plan} workspace={workspace} />);
}

function QuotaOf({ workspace: { workspaceId, plan } }: { readonly workspace: Workspace }) {
  const { data } = useSuspenseQuery(query('getSyncQuota', { query: { workspaceId } }));
  return (
    <section aria-labelledby={`quota-${plan}`} className="flex flex-col gap-3">
      <h2 id={`quota-${plan}`} className="text-lead font-strong">
        Quota <span className="text-base font-normal text-quiet">{planWords[plan]}</span>
      </h2>
      <QuotaMeter quota={data} />
    </section>
  );
}
