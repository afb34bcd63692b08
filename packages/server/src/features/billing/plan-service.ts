/** A workspace's plan as its members see it. */
import type { BillingPlan, Subscription } from '@svc/contract';
import type { PlanTable } from '#features/quota';
import { requireMembership } from '#features/workspaces';
import { isoTime } from '#platform/clock';
import type { Database } from '#platform/database/database';
import { shownOf } from './policy.ts';
import * as store from './store.ts';

export interface PlanReading {
  /** @throws AppError NOT_FOUND when the user is not a member of the workspace. */
  get(userId: string, workspaceId: string): Promise<BillingPlan>;
}

export interface PlanPorts {
  readonly database: Database;
  readonly plans: PlanTable;
}

export function createPlanReading({ database, plans }: PlanPorts): PlanReading {
  const db = database.read;
  return {
    async get(userId, workspaceId) {
      const { plan } = await requireMembership(db, userId, workspaceId);
      const shown = shownOf(await store.listSubscriptions(db, workspaceId));
      const { daily, weekly, retentionDays, activeShares } = plans[plan];
      return {
        workspaceId,
        plan,
        limits: { daily, weekly, retentionDays, activeShares },
        ...(shown ? { subscription: subscriptionOf(shown) } : {}),
      };
    },
  };
}

function subscriptionOf({
  status,
  currentPeriodEnd,
  cancelAtPeriodEnd,
}: store.SubscriptionRow): Subscription {
  return {
    status,
    ...(currentPeriodEnd === null ? {} : { currentPeriodEnd: isoTime(currentPeriodEnd) }),
    cancelAtPeriodEnd: cancelAtPeriodEnd === 1,
  };
}
