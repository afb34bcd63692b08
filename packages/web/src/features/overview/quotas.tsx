/** The quotas of the plans of an account's workspaces. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Workspace } from '@svc/contract';
import { query } from '../../lib/api.ts';
import { QuotaMeter } from '../quota/quota-meter.tsx';
import { planLabels } from '../workspaces/labels.ts';

/** Usage counts over all workspaces, and limits depend on the plan, so each plan is shown once. */
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
        Quota <span className="text-base font-normal text-quiet">{planLabels[plan]}</span>
      </h2>
      <QuotaMeter quota={data} />
    </section>
  );
}
