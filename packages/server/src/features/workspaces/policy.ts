/** Who may leave, and what a workspace must keep. */
import type { Role } from '@svc/contract';

export interface Membership {
  readonly userId: string;
  readonly role: Role;
}

/** What becomes of a workspace when one of its members goes or loses the role of owner. */
export type Departure = 'allowed' | 'last-member' | 'last-owner';

/** `last-owner` when members would remain without an owner; `last-member` when nobody would remain. */
export function departure(members: readonly Membership[], leaving: string): Departure {
  const others = members.filter(({ userId }) => userId !== leaving);
  if (others.length === 0) return 'last-member';
  return others.some(({ role }) => role === 'owner') ? 'allowed' : 'last-owner';
}
