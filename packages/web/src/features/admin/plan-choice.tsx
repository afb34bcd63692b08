/** The plan of one workspace. A change asks for confirmation, since the new limits apply immediately. */
import { useQueryClient } from '@tanstack/react-query';
import type { AdminWorkspace, Plan } from '@svc/contract';
import { useState } from 'react';
import { planLabels } from '../workspaces/labels.ts';
import { ask } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';

const plans = Object.keys(planLabels) as readonly Plan[];

export function PlanChoice({ workspace }: { readonly workspace: AdminWorkspace }) {
  const { workspaceId, name, ownerEmail, plan } = workspace;
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<Plan | null>(null);
  async function change() {
    if (!wanted) return;
    await ask('changeWorkspacePlan', { params: { id: workspaceId }, body: { plan: wanted } });
    await queries.invalidateQueries({ queryKey: ['listAdminWorkspaces'] });
  }
  return (
    <>
      <select
        aria-label={`Plan of ${name}, ${workspaceId}`}
        value={plan}
        onChange={(event) => setWanted(event.currentTarget.value as Plan)}
        className="min-h-8 pointer-coarse:min-h-11 rounded border border-edge bg-field px-2 py-1"
      >
        {plans.map((each) => (
          <option key={each} value={each}>
            {planLabels[each]}
          </option>
        ))}
      </select>
      <Confirm
        isOpen={wanted !== null}
        onClose={() => setWanted(null)}
        title={`Change “${name}” from the ${planLabels[plan]} to the ${planLabels[wanted ?? plan]}?`}
        action="Change plan"
        look="primary"
        onConfirm={change}
      >
        <p>
          Workspace <code>{workspaceId}</code>
          {ownerEmail === null ? '' : ` of ${ownerEmail}`}. Its limits change immediately, and its owners see
          the change in the audit log.
        </p>
      </Confirm>
    </>
  );
}
