/** A link in one sentence, so that what was set in many places is read in one. */
import type { ProjectedFinding, Severity } from '@svc/contract';
import { counted, exactly, listed } from '../../lib/words.ts';
import type { LinkDraft } from './draft.ts';
import { letsThrough, type FieldName, type PolicyDraft } from './policy.ts';

type Findings = readonly Pick<ProjectedFinding, 'id' | 'severity'>[];

/** @param findings of the whole report; null while the scan is running, undefined until they have come. */
export function sentenceOf(draft: LinkDraft, findings: Findings | null | undefined): string {
  const parts = [
    `${subjectOf(draft)} can read ${objectOf(draft.policy, findings)}`,
    ...leftOut(draft.policy),
    draft.expiresAt === ''
      ? 'for as long as the report is kept'
      : `until ${exactly(new Date(draft.expiresAt))}`,
  ];
  const password = draft.password.kind === 'none' ? '' : ' They need the password.';
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
      return named.length === 0 ? 'Nobody but you' : short(named);
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
  if (shown === findings.length) return shown === 1 ? 'the one finding' : `all ${counted(shown, 'finding')}`;
  return `${shown.toLocaleString('en')} of ${counted(findings.length, 'finding')}`;
}

const fieldWords: Readonly<Record<FieldName, string>> = {
  evidence: 'evidence',
  code: 'code',
  reproduction: 'reproduction',
  remediation: 'remediation',
  metadata: 'references',
};

/** Of what findings would have. */
function leftOut({ sections, fields, anonymize }: PolicyDraft): string[] {
  const missing = (Object.keys(fieldWords) as FieldName[]).filter((name) => !fields[name]);
  const words = [
    ...(sections.findings ? missing.map((name) => fieldWords[name]) : []),
    ...(anonymize ? ['names'] : []),
  ];
  return words.length === 0 ? [] : [`without ${listed(words)}`];
}

/** The same of a policy alone, for a list of links. */
export function sees(policy: PolicyDraft): string {
  const { sections, findings } = policy;
  if (!sections.findings) return [sections.summary ? 'counts' : 'no findings', ...leftOut(policy)].join(', ');
  const which = {
    allow_all: 'all findings',
    allow_listed: counted(findings.ids.length, 'chosen finding'),
    deny_listed: `all findings but ${findings.ids.length.toLocaleString('en')}`,
  }[findings.mode];
  return [which, ...aboveOf(findings.maxSeverity), ...leftOut(policy)].join(', ');
}

function aboveOf(severity: Severity | null): string[] {
  return severity === null || severity === 'critical' ? [] : [`nothing above ${severity}`];
}
