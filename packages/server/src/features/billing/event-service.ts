/**
 * Events of the payment provider.
 *
 * They arrive late, more than once and in any order. So a subscription is in the state of its newest event, even if an
 * older event arrives later. A workspace's plan changes only when its subscriptions pay for another plan than before,
 * so a plan that the administrator set stays. Events are handled one at a time: there are few, and two events of the
 * same workspace must not be applied in parallel.
 */
import type { BillingEvent, BillingEventReason, BillingEventTaken } from '@svc/contract';
import type { AuditRecorder } from '#features/audit';
import { setPlan } from '#features/workspaces';
import { DAY_MS, HOUR_MS, type Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import { isRecordId } from '#platform/ids';
import type { Log } from '#platform/log';
import type { Job } from '#platform/sweeper';
import { isNewer, planPaid, readEvent, type SubscriptionState } from './policy.ts';
import * as store from './store.ts';

const LOCK = 'events of the payment provider';
/** The provider repeats an event for three days automatically, and for thirty on request. */
const EVENTS_KEPT_MS = 90 * DAY_MS;

export interface EventService {
  receive(event: BillingEvent): Promise<BillingEventTaken>;
  readonly job: Job;
}

export interface EventPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Pick<AuditRecorder, 'record'>;
}

/** For these reasons a customer may pay and get nothing until the operator acts. The others need no action. */
const NEEDS_ACTION: ReadonlySet<BillingEventReason> = new Set([
  'unknown_workspace',
  'unknown_lookup_key',
  'unknown_status',
  'unreadable',
]);

export function createEventService({ database, clock, log, audit }: EventPorts): EventService {
  /** Null when the event was applied. */
  async function apply(tx: Tx, state: SubscriptionState): Promise<BillingEventReason | null> {
    await database.lockNames(tx, [LOCK]);
    if (!(await store.rememberEvent(tx, state.eventId, clock.now()))) return 'seen_before';
    const present = await store.findSubscription(tx, state.id);
    if (present && !isNewer(state, present)) return 'older_event';
    // Locked before the rows that refer to them, in the same order as the deletion of a workspace.
    const concerned = [state.workspaceId, ...(present ? [present.workspaceId] : [])];
    const workspaces = await store.lockWorkspaces(tx, concerned);
    if (!workspaces.includes(state.workspaceId)) return 'unknown_workspace';
    const paidBefore = await plansPaid(tx, workspaces);
    await store.putSubscription(tx, state);
    for (const [workspaceId, plan] of await plansPaid(tx, workspaces)) {
      if (plan !== paidBefore.get(workspaceId))
        await setPlan(tx, audit, { workspaceId, plan, actorId: null });
    }
    return null;
  }

  function notApplied(
    eventId: string,
    reason: BillingEventReason,
    about: { readonly subscriptionId?: string; readonly workspaceId?: string } = {},
  ): BillingEventTaken {
    const write = NEEDS_ACTION.has(reason) ? log.warn : log.info;
    write('billing event not applied', { eventId, reason, ...about });
    return { applied: false, reason };
  }

  return {
    async receive(event) {
      const { state, reason: unread, about } = readEvent(event);
      if (!state) return notApplied(event.id, unread, about);
      const { workspaceId, id } = state;
      if (!isRecordId('ws', workspaceId))
        return notApplied(event.id, 'unknown_workspace', { subscriptionId: id });
      const reason = await database.transaction((tx) => apply(tx, state));
      if (reason === null) return { applied: true };
      return notApplied(event.id, reason, { subscriptionId: id, workspaceId });
    },

    job: {
      name: 'received billing events',
      everyMs: HOUR_MS,
      run: () => store.forgetEventsBefore(database.read, clock.now() - EVENTS_KEPT_MS),
    },
  };
}

async function plansPaid(tx: Tx, workspaceIds: readonly string[]) {
  const paid = new Map<string, ReturnType<typeof planPaid>>();
  for (const id of workspaceIds) paid.set(id, planPaid(await store.listSubscriptions(tx, id)));
  return paid;
}
