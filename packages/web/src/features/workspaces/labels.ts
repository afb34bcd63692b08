/** Labels of workspaces, plans and roles. */
import type { Plan, Role, User, Workspace } from '@svc/contract';

export const planLabels: Readonly<Record<Plan, string>> = {
  free: 'Free plan',
  pro: 'Pro plan',
  team: 'Team plan',
  enterprise: 'Enterprise plan',
};

export const roleLabels: Readonly<Record<Role, string>> = { owner: 'Owner', member: 'Member' };

/** `Team workspace, Free plan, you are an owner`. */
export function factsOf({ kind, plan, role }: Pick<Workspace, 'kind' | 'plan' | 'role'>): string {
  const what = kind === 'personal' ? 'Personal workspace' : 'Team workspace';
  const own = kind === 'personal' ? '' : role === 'owner' ? ', you are an owner' : ', you are a member';
  return `${what}, ${planLabels[plan]}${own}`;
}

/** Says whose share links are listed. */
export function linksNoteOf({ isPlatformAdmin }: User, { kind, role }: Workspace): string {
  if (kind === 'personal') return 'Active share links to your reports.';
  if (isPlatformAdmin)
    return 'Your own active share links. Platform administrators can’t see those of other members.';
  return role === 'owner'
    ? 'All active share links. Only the owner of a report can revoke its share links.'
    : 'Your own active share links. Owners see those of all members.';
}
