/** Summarizes a share in one sentence that names every part that the share shows. */
import type { ProjectedFinding, SectionId, Severity } from '@svc/contract';
import { counted, exactTime, listed } from '../../lib/format.ts';
import type { LinkDraft } from './draft.ts';
import { letsThrough, type FieldName, type PolicyDraft } from './policy.ts';

type Findings = readonly Pick<ProjectedFinding, 'id' | 'severity'>[];

/** @param findings of the whole report; null while the scan is running, undefined while loading. */
export function sentenceOf(draft: LinkDraft, findings: Findings | null | undefined): string {
  const parts = [
    `${subjectOf(draft)} can read ${objectOf(draft.policy, findings)}${withFields(draft.policy)}`,
    ...(findings === null && draft.policy.sections.findings ? ['once the scan has finished'] : []),
    ...sectionsIn(draft.policy),
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
  if (!findings) return findings === null ? 'the findings' : 'the findings of this view';
  const shown = findings.filter((finding) => letsThrough(policy, finding)).length;
  const range = rangeOf(policy);
  const which = range.length === 0 ? '' : ` (${range.join(', ')})`;
  if (shown === findings.length)
    return `${shown === 1 ? 'the only finding' : `all ${counted(shown, 'finding')}`}${which}`;
  return `${shown.toLocaleString('en')} of ${counted(findings.length, 'finding')}${which}`;
}

const fieldLabels: Readonly<Record<FieldName, readonly string[]>> = {
  evidence: ['evidence'],
  code: ['code', 'file names'],
  reproduction: ['reproduction steps'],
  remediation: ['remediation'],
  metadata: ['references', 'tags', 'history'],
};
const fieldNames = Object.keys(fieldLabels) as FieldName[];

/** The parts of findings that the policy shows. */
function withFields({ sections, fields }: PolicyDraft): string {
  const shown = fieldNames.filter((name) => fields[name]);
  if (!sections.findings || shown.length === 0) return '';
  return ` with ${listed(shown.flatMap((name) => fieldLabels[name]))}`;
}

const sectionLabels: Readonly<Record<Exclude<SectionId, 'findings'>, string>> = {
  metadata: 'project and scan details',
  authorization: 'authorization',
  summary: 'counts',
  coverage: 'coverage',
  limitations: 'limitations',
};

/** The sections that the policy shows, besides the findings. */
function sectionsIn({ sections, anonymize }: PolicyDraft): string[] {
  const names = (Object.keys(sectionLabels) as (keyof typeof sectionLabels)[]).filter(
    (id) =>
      sections[id] && !(id === 'authorization' && anonymize) && !(id === 'summary' && !sections.findings),
  );
  if (names.length === 0) return [];
  return [
    `plus ${listed(names.map((id) => (id === 'metadata' && anonymize ? 'scan details' : sectionLabels[id])))}`,
  ];
}

/** The parts of findings that the policy hides, and the names if it anonymizes. */
function hiddenParts({ sections, fields, anonymize }: PolicyDraft): string[] {
  const missing = fieldNames.filter((name) => !fields[name]);
  const words = [
    ...(sections.findings ? missing.flatMap((name) => fieldLabels[name]) : []),
    ...(anonymize ? ['names of projects and hosts'] : []),
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
  return [which, ...rangeOf(policy), ...hiddenParts(policy)].join(', ');
}

function rangeOf({ findings: { minSeverity, maxSeverity } }: PolicyDraft): string[] {
  return [...belowOf(minSeverity), ...aboveOf(maxSeverity)];
}

function belowOf(severity: Severity | null): string[] {
  if (severity === null || severity === 'info') return [];
  return [severity === 'critical' ? 'critical only' : `${severity} and above`];
}

function aboveOf(severity: Severity | null): string[] {
  return severity === null || severity === 'critical' ? [] : [`none above ${severity}`];
}
