/** Who may leave a workspace, and who takes over. */
import type { Role } from '@svc/contract';

export interface Membership {
  readonly userId: string;
  readonly role: Role;
}

/** Whether a member may leave a workspace or lose the role of owner, and if not, why. */
export type Departure = 'allowed' | 'last-member' | 'last-owner';

/** `last-owner` when members would remain without an owner; `last-member` when nobody would remain. */
export function departure(members: readonly Membership[], leaving: string): Departure {
  const others = members.filter(({ userId }) => userId !== leaving);
  if (others.length === 0) return 'last-member';
  return others.some(({ role }) => role === 'owner') ? 'allowed' : 'last-owner';
}

/**
 * Who takes over what a leaving member owns: the owner with the oldest membership.
 * @param members in the order in which they joined, including another owner.
 */
export function heirOf(members: readonly Membership[], leaving: string): string {
  const heir = members.find(({ userId, role }) => role === 'owner' && userId !== leaving);
  if (!heir) throw new Error('nobody is left to take over');
  return heir.userId;
}
