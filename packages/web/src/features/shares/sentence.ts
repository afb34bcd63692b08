/** Summarizes a share in one sentence. */
import type { ProjectedFinding, Severity } from '@svc/contract';
import { counted, exactTime, listed } from '../../lib/format.ts';
import type { LinkDraft } from './draft.ts';
import { letsThrough, type FieldName, type PolicyDraft } from './policy.ts';

type Findings = readonly Pick<ProjectedFinding, 'id' | 'severity'>[];

/** @param findings of the whole report; null while the scan is running, undefined while loading. */
export function sentenceOf(draft: LinkDraft, findings: Findings | null | undefined): string {
  const parts = [
    `${subjectOf(draft)} can read ${objectOf(draft.policy, findings)}`,
    ...hiddenParts(draft.policy),
    draft.expiresAt === '' ? 'until the report expires' : `until ${exactTime(new Date(draft.expiresAt))}`,
  ];
  const password = draft.password.kind === 'none' ? '' : ' A password is required.';
  return `${parts.join(', ')}.${password}`;
}

function subjectOf({ audience, people }: LinkDraft): string {
  const named = people.map(({ label, value }) => label ?? value);
  switch (audience) {
    case 'anyone':
      return 'Anyone with the link';
    case 'accounts':
      return 'Anyone with the link and an account';
    case 'workspace':
      return named.length === 0 ? 'Members of the workspace' : `Members of the workspace and ${short(named)}`;
    case 'named':
      return named.length === 0 ? 'Only you' : short(named);
  }
}

const NAMED_MAX = 3;

function short(names: readonly string[]): string {
  if (names.length <= NAMED_MAX) return listed(names);
  return `${names.slice(0, NAMED_MAX - 1).join(', ')} and ${names.length - NAMED_MAX + 1} more`;
}

function objectOf(policy: PolicyDraft, findings: Findings | null | undefined): string {
  if (!policy.sections.findings) return policy.sections.summary ? 'the counts of findings' : 'no findings';
  if (findings === null) return 'the findings, once the scan has finished';
  if (!findings) return 'the findings of this view';
  const shown = findings.filter((finding) => letsThrough(policy, finding)).length;
  if (shown === findings.length) return shown === 1 ? 'the only finding' : `all ${counted(shown, 'finding')}`;
  return `${shown.toLocaleString('en')} of ${counted(findings.length, 'finding')}`;
}

const fieldLabels: Readonly<Record<FieldName, string>> = {
  evidence: 'evidence',
  code: 'code',
  reproduction: 'reproduction',
  remediation: 'remediation',
  metadata: 'references',
};

/** The parts of findings that the policy hides. */
function hiddenParts({ sections, fields, anonymize }: PolicyDraft): string[] {
  const missing = (Object.keys(fieldLabels) as FieldName[]).filter((name) => !fields[name]);
  const words = [
    ...(sections.findings ? missing.map((name) => fieldLabels[name]) : []),
    ...(anonymize ? ['names'] : []),
  ];
  return words.length === 0 ? [] : [`without ${listed(words)}`];
}

/** Summarizes a policy, for lists of shares. */
export function sees(policy: PolicyDraft): string {
  const { sections, findings } = policy;
  if (!sections.findings)
    return [sections.summary ? 'counts' : 'no findings', ...hiddenParts(policy)].join(', ');
  const which = {
    allow_all: 'all findings',
    allow_listed: counted(findings.ids.length, 'selected finding'),
    deny_listed: `all findings except ${findings.ids.length.toLocaleString('en')}`,
  }[findings.mode];
  return [which, ...aboveOf(findings.maxSeverity), ...hiddenParts(policy)].join(', ');
}

function aboveOf(severity: Severity | null): string[] {
  return severity === null || severity === 'critical' ? [] : [`none above ${severity}`];
}
