/** A link as it is edited, from nothing or from one that is stored. */
import type { CreateShareBody, Share } from '@svc/contract';
import { draftOf, isSamePolicy, policyOf, presets, type PolicyDraft } from './policy.ts';

/** Who may open a link; the mode, and whether an account is needed, as one choice. */
export const audiences = {
  anyone: 'Anyone with the link',
  accounts: 'Anyone with the link who has an account',
  workspace: 'Members of the workspace',
  named: 'Only the people named here',
} as const;
export type Audience = keyof typeof audiences;

export interface Person {
  /** An email address, or the id of an account or a workspace. */
  readonly value: string;
  readonly label: string | null;
  /** Null for the view of everybody else. */
  readonly policy: PolicyDraft | null;
}

export interface LinkDraft {
  readonly audience: Audience;
  readonly people: readonly Person[];
  readonly policy: PolicyDraft;
  /** As a field for local times has it; empty for a link that ends with its report. */
  readonly expiresAt: string;
  readonly password: PasswordDraft;
  readonly label: string;
}

/** `kept` is the one that a stored link has. */
export type PasswordDraft =
  | { readonly kind: 'none' }
  | { readonly kind: 'kept' }
  | { readonly kind: 'new'; readonly text: string };

const DEFAULT_LIFETIME_MS = 7 * 24 * 3_600_000;

export function newDraft(now: Date): LinkDraft {
  return {
    audience: 'anyone',
    people: [],
    policy: presets.withoutCode,
    expiresAt: fieldOfTime(new Date(now.getTime() + DEFAULT_LIFETIME_MS)),
    password: { kind: 'none' },
    label: '',
  };
}

export function draftOfShare(share: Share): LinkDraft {
  const policy = draftOf(share.defaultPolicy);
  return {
    audience: audienceOf(share),
    people: share.principals.map(({ principalValue, label, policy: own }) => {
      const theirs = draftOf(own);
      return { value: principalValue, label, policy: isSamePolicy(theirs, policy) ? null : theirs };
    }),
    policy,
    expiresAt: share.expiresAt === null ? '' : fieldOfTime(new Date(share.expiresAt)),
    password: { kind: share.hasPassword ? 'kept' : 'none' },
    label: share.label ?? '',
  };
}

export function audienceOf({ mode, anonymousAllowed }: Pick<Share, 'mode' | 'anonymousAllowed'>): Audience {
  if (mode === 'workspace') return 'workspace';
  if (mode === 'private') return 'named';
  return anonymousAllowed ? 'anyone' : 'accounts';
}

/** How the service calls them. */
export const modes = {
  anyone: { mode: 'anyone_with_link', anonymousAllowed: true },
  accounts: { mode: 'anyone_with_link', anonymousAllowed: false },
  workspace: { mode: 'workspace', anonymousAllowed: false },
  named: { mode: 'private', anonymousAllowed: false },
} as const;

export function createBodyOf(draft: LinkDraft): CreateShareBody {
  const { audience, expiresAt, password } = draft;
  const label = draft.label.trim();
  return {
    ...modes[audience],
    defaultPolicy: policyOf(draft.policy),
    principals: principalsOf(draft),
    ...(expiresAt === '' ? {} : { expiresAt: timeOfField(expiresAt) }),
    ...(password.kind === 'new' ? { password: password.text } : {}),
    ...(label === '' ? {} : { label }),
  };
}

export function principalsOf({ people, policy }: LinkDraft): NonNullable<CreateShareBody['principals']> {
  return people.map(({ value, label, policy: own }) => ({
    principalValue: value,
    ...(label === null ? {} : { label }),
    policy: policyOf(own ?? policy),
  }));
}

/** `2026-06-03T14:00`, in the reader's own time zone, to the minute. */
export function fieldOfTime(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

export function timeOfField(field: string): string {
  return new Date(field).toISOString();
}
