/** The plan of a workspace, which its members cannot set. */
import type { Plan } from '@svc/contract';
import type { AuditRecorder } from '#features/audit';
import type { Tx } from '#platform/database/database';
import { isRecordId } from '#platform/ids';
import * as store from './store.ts';

export interface PlanChange {
  readonly workspaceId: string;
  readonly plan: Plan;
  /** Null when no person changed it. */
  readonly actorId: string | null;
}

/** False for an unknown workspace. Setting the current plan again is not a change. */
export async function setPlan(
  tx: Tx,
  audit: Pick<AuditRecorder, 'record'>,
  { workspaceId, plan, actorId }: PlanChange,
): Promise<boolean> {
  const workspace = isRecordId('ws', workspaceId) ? await store.lockWorkspace(tx, workspaceId) : null;
  if (!workspace) return false;
  if (workspace.plan === plan) return true;
  await store.updatePlan(tx, workspaceId, plan);
  audit.record(tx, { action: 'workspace_plan_changed', actorId, workspaceId, detail: plan });
  return true;
}
