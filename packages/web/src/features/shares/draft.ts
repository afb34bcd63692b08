/** A link as it is edited, from nothing or from one that is stored, and what of it is to be sent. */
import type { ChangeShareBody, CreateShareBody, Share, SharePolicy } from '@svc/contract';
import { exactly } from '../../lib/words.ts';
import { draftOf, isSamePolicy, policyOf, presets, type PolicyDraft } from './policy.ts';
import { sees } from './sentence.ts';

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

const modes = {
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

function principalsOf({ people, policy }: LinkDraft): NonNullable<CreateShareBody['principals']> {
  return people.map(({ value, label, policy: own }) => ({
    principalValue: value,
    ...(label === null ? {} : { label }),
    policy: policyOf(own ?? policy),
  }));
}

export interface Change {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

export interface Changes {
  readonly list: readonly Change[];
  readonly body: Omit<ChangeShareBody, 'reportId'>;
}

/** What differs from the link as it is stored: to be shown, and to be sent. */
export function changesOf(share: Share, draft: LinkDraft): Changes {
  const stored = draftOfShare(share);
  const list: Change[] = [];
  const body: { -readonly [Key in keyof Changes['body']]: Changes['body'][Key] } = {};
  if (stored.audience !== draft.audience) {
    list.push({ what: 'Who', before: audiences[stored.audience], after: audiences[draft.audience] });
    Object.assign(body, modes[draft.audience]);
  }
  if (!isSamePolicy(stored.policy, draft.policy)) {
    list.push({ what: 'What they see', before: sees(stored.policy), after: sees(draft.policy) });
    body.defaultPolicy = policyOf(draft.policy);
  }
  const [before, after] = [peopleOf(stored), peopleOf(draft)];
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    list.push({ what: 'People named', before: namesOf(stored), after: namesOf(draft) });
    body.principals = principalsOf(draft);
  }
  if (stored.expiresAt !== draft.expiresAt) {
    list.push({ what: 'Ends', before: endOf(stored), after: endOf(draft) });
    body.expiresAt = draft.expiresAt === '' ? null : timeOfField(draft.expiresAt);
  }
  if (stored.password.kind !== draft.password.kind) {
    list.push({
      what: 'Password',
      before: passwordWords[stored.password.kind],
      after: passwordWords[draft.password.kind],
    });
    body.password = draft.password.kind === 'new' ? draft.password.text : null;
  }
  const label = draft.label.trim();
  if (stored.label !== label) {
    list.push({ what: 'Name', before: stored.label || 'none', after: label || 'none' });
    body.label = label === '' ? null : label;
  }
  return { list, body };
}

const passwordWords = { none: 'none', kept: 'the one it has', new: 'a new one' } as const;

/** What is stored of the people that a link names. */
function peopleOf(draft: LinkDraft): readonly [string, string | null, SharePolicy][] {
  return draft.people.map(({ value, label, policy }) => [value, label, policyOf(policy ?? draft.policy)]);
}

function namesOf({ people, policy }: LinkDraft): string {
  if (people.length === 0) return 'nobody';
  return people
    .map(({ value, policy: own }) => (own && !isSamePolicy(own, policy) ? `${value} (${sees(own)})` : value))
    .join(', ');
}

function endOf({ expiresAt }: LinkDraft): string {
  return expiresAt === '' ? 'with the report' : exactly(new Date(expiresAt));
}

/** `2026-06-03T14:00`, in the reader's own time zone, to the minute. */
export function fieldOfTime(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

export function timeOfField(field: string): string {
  return new Date(field).toISOString();
}
