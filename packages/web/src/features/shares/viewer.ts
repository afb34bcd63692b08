/** For whom a view is set and shown: everybody whom a link does not name, or one of those that it does. */
import type { PrincipalType } from '@svc/contract';
import type { LinkDraft } from './draft.ts';
import type { PolicyDraft } from './policy.ts';

/** The value by which a link names them; null for everybody else. */
export type Viewer = string | null;

export function policyFor({ people, policy }: LinkDraft, viewer: Viewer): PolicyDraft {
  return people.find(({ value }) => value === viewer)?.policy ?? policy;
}

export function withPolicyFor(draft: LinkDraft, viewer: Viewer, policy: PolicyDraft | null): LinkDraft {
  if (viewer === null) return { ...draft, policy: policy ?? draft.policy };
  const people = draft.people.map((person) => (person.value === viewer ? { ...person, policy } : person));
  return { ...draft, people };
}

/** As which a projection is made for them. */
export function principalTypeOf({ audience }: LinkDraft, viewer: Viewer): PrincipalType {
  if (viewer !== null) {
    if (viewer.startsWith('ws_')) return 'workspace';
    return viewer.includes('@') ? 'email' : 'user';
  }
  if (audience === 'anyone') return 'anonymous';
  return audience === 'workspace' ? 'workspace' : 'user';
}
