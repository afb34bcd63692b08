/** Labels of workspaces, plans and roles. */
import type { Plan, Role, Workspace } from '@svc/contract';

export const planLabels: Readonly<Record<Plan, string>> = {
  free: 'Free plan',
  pro: 'Pro plan',
  team: 'Team plan',
  enterprise: 'Enterprise plan',
};

export const roleLabels: Readonly<Record<Role, string>> = { owner: 'Owner', member: 'Member' };

/** `Team workspace, Free plan, you are its owner`. */
export function factsOf({ kind, plan, role }: Pick<Workspace, 'kind' | 'plan' | 'role'>): string {
  const what = kind === 'personal' ? 'Personal workspace' : 'Team workspace';
  const own = kind === 'personal' ? '' : role === 'owner' ? ', you are an owner' : ', you are a member';
  return `${what}, ${planLabels[plan]}${own}`;
}
