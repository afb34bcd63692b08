/** The changes of an edited share against the stored one. */
import type { ChangeShareBody, Share, SharePolicy } from '@svc/contract';
import { exactTime } from '../../lib/format.ts';
import { audiences, draftOfShare, modes, principalsOf, timeOfField, type LinkDraft } from './draft.ts';
import { isSamePolicy, policyOf } from './policy.ts';
import { sees } from './sentence.ts';

export interface Change {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

export interface Changes {
  readonly list: readonly Change[];
  readonly body: Omit<ChangeShareBody, 'reportId'>;
}

/** The differences from the stored share: a list to show, and a body to send. */
export function changesOf(share: Share, draft: LinkDraft): Changes {
  const stored = draftOfShare(share);
  const list: Change[] = [];
  const body: { -readonly [Key in keyof Changes['body']]: Changes['body'][Key] } = {};
  if (stored.audience !== draft.audience) {
    list.push({
      what: 'Who can open it',
      before: audiences[stored.audience],
      after: audiences[draft.audience],
    });
    Object.assign(body, modes[draft.audience]);
  }
  if (!isSamePolicy(stored.policy, draft.policy)) {
    list.push({ what: 'What they see', before: sees(stored.policy), after: sees(draft.policy) });
    body.defaultPolicy = policyOf(draft.policy);
  }
  const [before, after] = [peopleOf(stored), peopleOf(draft)];
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    list.push({ what: 'Listed people', before: namesOf(stored), after: namesOf(draft) });
    body.principals = principalsOf(draft);
  }
  if (stored.expiresAt !== draft.expiresAt) {
    list.push({ what: 'Expires', before: endOf(stored), after: endOf(draft) });
    body.expiresAt = draft.expiresAt === '' ? null : timeOfField(draft.expiresAt);
  }
  if (stored.password.kind !== draft.password.kind) {
    list.push({
      what: 'Password',
      before: passwordLabels[stored.password.kind],
      after: passwordLabels[draft.password.kind],
    });
    body.password = draft.password.kind === 'new' ? draft.password.text : null;
  }
  const label = draft.label.trim();
  if (stored.label !== label) {
    list.push({ what: 'Label', before: stored.label || 'none', after: label || 'none' });
    body.label = label === '' ? null : label;
  }
  const message = draft.message.trim();
  if (stored.message !== message) {
    list.push({ what: 'Message', before: stored.message || 'none', after: message || 'none' });
    body.message = message === '' ? null : message;
  }
  if (stored.showSender !== draft.showSender) {
    const [was, is] = [stored.showSender, draft.showSender].map((isShown) =>
      isShown ? 'shown' : 'not shown',
    );
    list.push({ what: 'Sender', before: was ?? '', after: is ?? '' });
    body.showSender = draft.showSender;
  }
  return { list, body };
}

const passwordLabels = { none: 'none', kept: 'current password', new: 'new password' } as const;

/** The listed people in a comparable form. */
function peopleOf(draft: LinkDraft): readonly [string, string | null, SharePolicy][] {
  return draft.people.map(({ value, label, policy }) => [value, label, policyOf(policy ?? draft.policy)]);
}

function namesOf({ people, policy }: LinkDraft): string {
  if (people.length === 0) return 'none';
  return people
    .map(({ value, policy: own }) => (own && !isSamePolicy(own, policy) ? `${value} (${sees(own)})` : value))
    .join(', ');
}

function endOf({ expiresAt }: LinkDraft): string {
  return expiresAt === '' ? 'with the report' : exactTime(new Date(expiresAt));
}
