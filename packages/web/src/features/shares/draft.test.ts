import type { Share } from '@svc/contract';
import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';
import { createBodyOf, draftOfShare, newDraft, timeOfField, type LinkDraft } from './draft.ts';
import { changePolicy, policyOf, presets } from './policy.ts';
import { sees, sentenceOf } from './sentence.ts';

const NOW = new Date('2026-05-06T07:08:00.000Z');
const findings = Array.from({ length: 40 }, (_, index) => ({
  id: `F-${index + 1}`,
  severity: index < 28 ? ('critical' as const) : ('low' as const),
}));

const share: Share = {
  id: 'shr_1',
  reportId: 'rep_1',
  label: 'For the auditors',
  mode: 'anyone_with_link',
  hasPassword: true,
  anonymousAllowed: true,
  expiresAt: '2026-06-03T14:00:00.000Z',
  revokedAt: null,
  createdAt: '2026-05-01T00:00:00.000Z',
  createdBy: { userId: 'usr_1', displayName: 'Kai' },
  message: null,
  showSender: false,
  defaultPolicy: policyOf(presets.auditor),
  principals: [{ principalValue: 'kim@auditors.example', label: 'Kim', policy: policyOf(presets.team) }],
  viewCount: 3,
  lastViewedAt: null,
};

test('a new share is for anyone, without code and for seven days, and the request body matches', () => {
  const draft = newDraft(NOW);
  expect(timeOfField(draft.expiresAt)).toBe('2026-05-13T07:08:00.000Z');
  expect(createBodyOf(draft)).toEqual({
    mode: 'anyone_with_link',
    anonymousAllowed: true,
    defaultPolicy: policyOf(presets.auditor),
    principals: [],
    expiresAt: '2026-05-13T07:08:00.000Z',
  });
});

test('a stored share that was only opened has no changes', () => {
  expect(changesOf(share, draftOfShare(share))).toEqual({ list: [], body: {} });
});

test('changesOf returns only what has changed', () => {
  const draft = draftOfShare(share);
  const only = (changes: Partial<LinkDraft>) => changesOf(share, { ...draft, ...changes });
  expect(only({ audience: 'workspace' })).toEqual({
    list: [{ what: 'Who can open it', before: 'Anyone with the link', after: 'Members of the workspace' }],
    body: { mode: 'workspace', anonymousAllowed: false },
  });
  expect(only({ expiresAt: '' }).body).toEqual({ expiresAt: null });
  expect(only({ password: { kind: 'none' } }).body).toEqual({ password: null });
  expect(only({ password: { kind: 'new', text: 'four green teas' } }).body).toEqual({
    password: 'four green teas',
  });
  expect(only({ message: ' Please fix these. ', showSender: true })).toMatchObject({
    list: [
      { what: 'Message', before: 'none', after: 'Please fix these.' },
      { what: 'Sender', before: 'not shown', after: 'shown' },
    ],
    body: { message: 'Please fix these.', showSender: true },
  });
  expect(only({ label: ' ' }).body).toEqual({ label: null });
  expect(only({ policy: presets.customer }).body).toEqual({ defaultPolicy: policyOf(presets.customer) });
  expect(only({ people: [] })).toMatchObject({
    list: [{ what: 'Listed people', after: 'none' }],
    body: { principals: [] },
  });
});

test('a person without a separate policy gets the changed default policy', () => {
  const same = { ...share, principals: [{ ...share.principals[0]!, policy: share.defaultPolicy }] };
  const { body } = changesOf(same, { ...draftOfShare(same), policy: presets.customer });
  expect(body.principals?.[0]?.policy).toEqual(policyOf(presets.customer));
});

test.each<[Partial<LinkDraft>, RegExp]>([
  [
    {},
    /^Anyone with the link can read all 40 findings with evidence, reproduction steps, remediation, references, tags and history, plus project and scan details, authorization, counts, coverage and limitations, without code and file names, until 13 May 2026, \d\d:08 \S+\.$/,
  ],
  [{ expiresAt: '' }, /without code and file names, until the report expires\.$/],
  [{ audience: 'named' }, /^Only you can read /],
  [
    { policy: presets.customer },
    /with evidence, remediation, references, tags and history, plus scan details, .*, without code, file names, reproduction steps and names of projects and hosts, until/,
  ],
  [
    { policy: { ...presets.team, sections: { ...presets.team.sections, findings: false } } },
    /can read the counts of findings, plus project and scan details, authorization, coverage and limitations, until/,
  ],
  [{ password: { kind: 'new', text: 'x' } }, /A password is required\.$/],
  [
    {
      policy: {
        ...presets.team,
        findings: { mode: 'allow_all', ids: [], maxSeverity: 'high', minSeverity: null },
      },
    },
    /can read 12 of 40 findings \(none above high\) with/,
  ],
  [
    {
      policy: {
        ...presets.team,
        findings: { mode: 'allow_all', ids: [], maxSeverity: null, minSeverity: 'high' },
      },
    },
    /can read 28 of 40 findings \(high and above\) with/,
  ],
  [
    {
      audience: 'named',
      people: ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'].map((value) => ({
        value,
        label: null,
        policy: null,
      })),
    },
    /^a@x\.example, b@x\.example and 2 more can read/,
  ],
])('the summary sentence of a share: %j', (changes, sentence) => {
  expect(sentenceOf({ ...newDraft(NOW), ...changes }, findings)).toMatch(sentence);
});

test('a policy has a summary for lists of shares', () => {
  expect(sees(presets.auditor)).toBe('all findings, without code and file names');
  expect(sees({ ...presets.team, anonymize: true })).toBe(
    'all findings, without names of projects and hosts',
  );
  const severe = changePolicy(presets.team, { type: 'minSeverity', severity: 'high' });
  expect(sees(severe)).toBe('all findings, high and above');
});
