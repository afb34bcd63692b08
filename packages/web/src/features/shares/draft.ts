/** A new or stored share while it is edited. */
import { DAY_MS, MINUTE_MS } from '@svc/contract/durations';
import type { CreateShareBody, Share } from '@svc/contract';
import { draftOf, isSamePolicy, policyOf, presets, type PolicyDraft } from './policy.ts';

/** Who can open a share link: combines the mode and whether an account is needed. */
export const audiences = {
  anyone: 'Anyone with the link',
  accounts: 'Anyone with the link who has an account',
  workspace: 'Members of the workspace',
  named: 'Only the people listed here',
} as const;
export type Audience = keyof typeof audiences;

export interface Person {
  /** An email address, or the id of an account or a workspace. */
  readonly value: string;
  readonly label: string | null;
  /** Null for the default policy. */
  readonly policy: PolicyDraft | null;
}

export interface LinkDraft {
  readonly audience: Audience;
  readonly people: readonly Person[];
  readonly policy: PolicyDraft;
  /** The value of a datetime-local field; empty if the share expires with the report. */
  readonly expiresAt: string;
  readonly password: PasswordDraft;
  readonly label: string;
  readonly message: string;
  readonly showSender: boolean;
}

/** `kept` is the password of the stored share. */
export type PasswordDraft =
  | { readonly kind: 'none' }
  | { readonly kind: 'kept' }
  | { readonly kind: 'new'; readonly text: string };

const DEFAULT_LIFETIME_MS = 7 * DAY_MS;

export function newDraft(now: Date): LinkDraft {
  return {
    audience: 'anyone',
    people: [],
    policy: presets.auditor,
    expiresAt: fieldOfTime(new Date(now.getTime() + DEFAULT_LIFETIME_MS)),
    password: { kind: 'none' },
    label: '',
    message: '',
    showSender: false,
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
    message: share.message ?? '',
    showSender: share.showSender,
  };
}

export function audienceOf({ mode, anonymousAllowed }: Pick<Share, 'mode' | 'anonymousAllowed'>): Audience {
  if (mode === 'workspace') return 'workspace';
  if (mode === 'private') return 'named';
  return anonymousAllowed ? 'anyone' : 'accounts';
}

/** The API values of each audience. */
export const modes = {
  anyone: { mode: 'anyone_with_link', anonymousAllowed: true },
  accounts: { mode: 'anyone_with_link', anonymousAllowed: false },
  workspace: { mode: 'workspace', anonymousAllowed: false },
  named: { mode: 'private', anonymousAllowed: false },
} as const;

export function createBodyOf(draft: LinkDraft): CreateShareBody {
  const { audience, expiresAt, password } = draft;
  const label = draft.label.trim();
  const message = draft.message.trim();
  return {
    ...modes[audience],
    defaultPolicy: policyOf(draft.policy),
    principals: principalsOf(draft),
    ...(expiresAt === '' ? {} : { expiresAt: timeOfField(expiresAt) }),
    ...(password.kind === 'new' ? { password: password.text } : {}),
    ...(label === '' ? {} : { label }),
    ...(message === '' ? {} : { message }),
    ...(draft.showSender ? { showSender: true } : {}),
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
  const local = new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 16);
}

export function timeOfField(field: string): string {
  return new Date(field).toISOString();
}
