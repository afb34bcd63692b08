/** Which actions have an entry each time, and which are merged into one entry with a count when they are repeated. */
import type { AuditAction } from '@svc/contract';
import { DAY_MS, MINUTE_MS } from '#platform/clock';
import type { AuditFact } from './fact.ts';

/** For how long repeats count in the first entry; `each` when every one has its own. */
type Merging = 'each' | 'minute' | 'day';

const mergingOf = {
  // Changes of rights, and of plans: the order and the time of each one decide who could do what.
  share_created: 'each',
  share_changed: 'each',
  share_revoked: 'each',
  device_linked: 'each',
  device_revoked: 'each',
  member_invited: 'each',
  invitation_revoked: 'each',
  member_joined: 'each',
  member_role_changed: 'each',
  member_left: 'each',
  member_removed: 'each',
  workspace_created: 'each',
  workspace_deleted: 'each',
  workspace_plan_changed: 'each',
  // Support accesses.
  support_granted: 'each',
  support_used: 'each',
  support_revoked: 'each',
  // Happens to a report only once.
  report_deleted: 'each',
  report_exported: 'minute',
  finding_decided: 'minute',
  decisions_queried: 'day',
} as const satisfies Record<AuditAction, Merging>;

type MergedAction = {
  [Action in AuditAction]: (typeof mergingOf)[Action] extends 'each' ? never : Action;
}[AuditAction];

/** A fact whose repeats are merged. */
export type MergedFact = AuditFact & { readonly action: MergedAction };

export function isMerged(fact: AuditFact): fact is MergedFact {
  return mergingOf[fact.action] !== 'each';
}

/**
 * Facts with the same key are repeats: the same actor, action, object and detail. The object is the report if there is
 * one. A viewer without an account is identified by the share that they used.
 */
export function keyOf({ action, actorId, workspaceId, reportId, subjectId, detail }: MergedFact): string {
  return [action, actorId ?? subjectId, workspaceId, reportId ?? subjectId, detail].join(' ');
}

/** An entry that was created between these times, both excluded, counts a fact of now too. */
export function windowOf({ action }: MergedFact, now: number) {
  const midnight = now - (now % DAY_MS);
  return mergingOf[action] === 'day'
    ? { after: midnight - 1, before: midnight + DAY_MS }
    : { after: now - MINUTE_MS, before: now + MINUTE_MS };
}
