/**
 * One rule for each category and severity among the findings: readers take the severity of a result from its rule. A
 * rule depends on its category and severity, and on the weaknesses that its findings name.
 */
import { severities, type ProjectedFinding, type Severity } from '@svc/contract';
import type { ReportingDescriptor, Result } from 'sarif';
import { cwesIn } from '../reading/cwe-numbers.ts';

export const levels: Readonly<Record<Severity, Result.level>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};

/** Scores on the CVSS scale, so that the score bands of every reader lead back to the severity. */
const scores: Readonly<Record<Severity, string | undefined>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.5',
  info: undefined,
};

const meanings: Readonly<Record<Severity, string>> = {
  critical: 'It gives an attacker control of the system or its data: fix it before anything else.',
  high: 'It causes serious harm when exploited: fix it soon.',
  medium: 'It causes harm under some conditions or with another weakness: plan a fix.',
  low: 'It causes little harm alone: fix it when you next change this code.',
  info: 'It is not a weakness, but worth knowing.',
};

/** GitHub rejects a rule with more tags; the tag `security` counts, too. */
const TAGS_MAX = 20;

export interface RuleSet {
  readonly rules: readonly ReportingDescriptor[];
  /** The rule of each finding, in order. */
  readonly indexes: readonly number[];
}

export function ruleSetOf(findings: readonly ProjectedFinding[]): RuleSet {
  const groups = new Map<string, ProjectedFinding[]>();
  const ids = findings.map((finding) => {
    const id = ruleIdOf(finding);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [finding]);
    else group.push(finding);
    return id;
  });
  const ordered = [...groups].toSorted(([one, [first]], [other, [second]]) => {
    const bySeverity = rankOf(first) - rankOf(second);
    return bySeverity === 0 ? (one < other ? -1 : 1) : bySeverity;
  });
  const indexOf = new Map(ordered.map(([id], index) => [id, index]));
  return {
    rules: ordered.map(([id, group]) => ruleOf(id, group)),
    indexes: ids.map((id) => indexOf.get(id) ?? -1),
  };
}

function rankOf(finding: ProjectedFinding | undefined): number {
  return finding === undefined ? severities.length : severities.indexOf(finding.severity);
}

function ruleIdOf({ category, severity }: ProjectedFinding): string {
  return `${nameOf(category)}.${severity}`;
}

const PLAIN_NAME = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/** A policy may have replaced parts of a category; the name still has only letters, digits and underscores. */
function nameOf(category: string): string {
  if (PLAIN_NAME.test(category)) return category;
  const name = category
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_/, '')
    .replace(/_$/, '');
  return name === '' ? 'finding' : name;
}

function ruleOf(id: string, group: readonly ProjectedFinding[]): ReportingDescriptor {
  const [{ category, severity } = { category: '', severity: 'info' as const }] = group;
  const words = nameOf(category).split('_');
  const label = labelOf(words);
  const weaknesses = weaknessesOf(group);
  const score = scores[severity];
  const [weakness] = weaknesses;
  return {
    id,
    name: [...words, severity].map(capitalized).join(''),
    shortDescription: { text: `${label} (${severity})` },
    fullDescription: { text: `${label}, of severity ${severity}. ${meanings[severity]}` },
    ...(weakness !== undefined && { helpUri: pageOf(weakness) }),
    help: helpOf(label, severity, weaknesses),
    defaultConfiguration: { level: levels[severity] },
    properties: {
      ...(score !== undefined && { 'security-severity': score }),
      tags: ['security', ...weaknesses.map((number) => `external/cwe/cwe-${number}`)],
    },
  };
}

/** The most frequent first. */
function weaknessesOf(group: readonly ProjectedFinding[]): number[] {
  const counts = new Map<number, number>();
  for (const { taxonomy = [] } of group) {
    for (const number of new Set(taxonomy.flatMap(cwesIn))) counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([one, ones], [other, others]) => others - ones || one - other)
    .map(([number]) => number)
    .slice(0, TAGS_MAX - 1);
}

function pageOf(weakness: number): string {
  return `https://cwe.mitre.org/data/definitions/${weakness}.html`;
}

const ADVICE =
  'Each result describes the weakness, its impact, the evidence, the fix, and how to verify the fix.';

function helpOf(label: string, severity: Severity, weaknesses: readonly number[]) {
  const pages = weaknesses.map((number) => `- [CWE-${number}](${pageOf(number)})`);
  const names = weaknesses.map((number) => `CWE-${number}`).join(', ');
  const named = names === '' ? [] : [`Weaknesses: ${names}.`];
  const markdown = [`# ${label}`, `**Severity: ${severity}.** ${meanings[severity]}`, ADVICE];
  if (pages.length > 0) markdown.push(['Weaknesses:', '', ...pages].join('\n'));
  return {
    text: [`${label}, of severity ${severity}. ${meanings[severity]}`, ADVICE, ...named].join('\n\n'),
    markdown: markdown.join('\n\n'),
  };
}

const ACRONYMS =
  /^(?:api|aws|cors|csp|csrf|css|dns|html|http|https|iam|idor|jwt|ldap|mfa|rce|sql|ssh|ssl|ssrf|tls|uri|url|xml|xss|xxe)$/;

/** `sql_injection` becomes `SQL injection`. */
function labelOf(words: readonly string[]): string {
  return words
    .map((word, index) => {
      if (ACRONYMS.test(word)) return word.toUpperCase();
      return index === 0 ? capitalized(word) : word;
    })
    .join(' ');
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
