/** The viewer whose policy is edited and previewed: a listed person, or everyone else. */
import type { PrincipalType } from '@svc/contract';
import type { LinkDraft } from './draft.ts';
import type { PolicyDraft } from './policy.ts';

/** The principal value of a listed person; null for everyone else. */
export type Viewer = string | null;

export function policyFor({ people, policy }: LinkDraft, viewer: Viewer): PolicyDraft {
  return people.find(({ value }) => value === viewer)?.policy ?? policy;
}

export function withPolicyFor(draft: LinkDraft, viewer: Viewer, policy: PolicyDraft | null): LinkDraft {
  if (viewer === null) return { ...draft, policy: policy ?? draft.policy };
  const people = draft.people.map((person) => (person.value === viewer ? { ...person, policy } : person));
  return { ...draft, people };
}

/** The principal type of the viewer's projection. */
export function principalTypeOf({ audience }: LinkDraft, viewer: Viewer): PrincipalType {
  if (viewer !== null) {
    if (viewer.startsWith('ws_')) return 'workspace';
    return viewer.includes('@') ? 'email' : 'user';
  }
  if (audience === 'anyone') return 'anonymous';
  return audience === 'workspace' ? 'workspace' : 'user';
}
