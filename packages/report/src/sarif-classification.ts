/** What a result is, and how bad: severity, category, taxonomy, tags, and whether it is about a secret. */
import { limits, type EvidenceKind, type Severity } from '@svc/contract';
import { normalizedCategory } from './adjustments.ts';
import { fields, items, text, type Fields } from './sarif-document.ts';
import { descriptionText, properties } from './sarif-messages.ts';
import { ownWords } from './sarif-own.ts';
import type { Rule } from './sarif-rules.ts';
import { categoryOfCwe, categoryOfRisk, cwesIn, owaspRisk } from './weaknesses.ts';

const severityOfLevel: Readonly<Record<string, Severity>> = {
  error: 'high',
  warning: 'medium',
  note: 'low',
  none: 'info',
};

/**
 * The tool's own score where it gives one, on the scale of the CVSS; else its level. Tools that look for secrets give
 * neither, and what they find is worth more than what a log means by saying nothing.
 */
export function severityOf(result: Fields, { descriptor }: Rule, toolName: string): Severity {
  const own = ownWords(result, toolName)?.severity;
  if (own !== undefined) return own;
  const score = scoreOf(result) ?? scoreOf(descriptor);
  if (score !== undefined) {
    if (score >= 9) return 'critical';
    if (score >= 7) return 'high';
    if (score >= 4) return 'medium';
    return score > 0 ? 'low' : 'info';
  }
  if (SECRET_TOOL.test(toolName) && statedLevel(result, descriptor) === undefined) return 'high';
  return severityOfLevel[levelOf(result, descriptor)] ?? 'medium';
}

export function scoreOf(of: Fields): number | undefined {
  const given = properties(of)['security-severity'];
  const score = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  return typeof score === 'number' && score >= 0 && score <= 10 ? score : undefined;
}

export function levelOf(result: Fields, descriptor: Fields): string {
  return statedLevel(result, descriptor) ?? (isFailure(result) ? 'warning' : 'note');
}

/** One that waits for a person to look has no level of its own; that of its rule still says how bad it would be. */
function statedLevel(result: Fields, descriptor: Fields): string | undefined {
  const level = text(result['level']);
  if (level !== undefined && (isFailure(result) || level !== 'none')) return level;
  return text(fields(descriptor['defaultConfiguration'])['level']);
}

function isFailure(result: Fields): boolean {
  return (text(result['kind']) ?? 'fail') === 'fail';
}

export interface Classification {
  readonly category: string;
  readonly taxonomy: readonly string[];
  readonly tags: readonly string[];
  readonly evidenceKind: EvidenceKind;
  /** What the tool quotes may be the secret itself, in no known format. */
  readonly isSecret: boolean;
}

const ADVISORY = /^(?:CVE|GHSA|OSV|RUSTSEC|PYSEC|MAL|SNYK|BDSA|RHSA|DSA|USN|ELSA|ALAS|GO)-\w/i;
const SECRET_TOOL = /gitleaks|trufflehog|detect-secrets|secret|ggshield|whispers/i;
const SECRET_WORDS =
  /secret|passw(?:or)?d|credential|private[ _-]?key|api[ _-]?key|access[ _-]?(?:key|token)|auth[ _-]?token/i;
const CONFIGURATION_TOOL = /checkov|kics|tfsec|terrascan|hadolint|kubesec|kube-linter|polaris/i;
const CONFIGURATION_WORDS = /misconfig|terraform|kubernetes|dockerfile|\biac\b/i;

export function classificationOf(result: Fields, rule: Rule, toolName: string): Classification {
  const { descriptor, id } = rule;
  const tags = [descriptor, result].flatMap((of) =>
    items(properties(of)['tags']).flatMap((tag) => text(tag) ?? []),
  );
  const name = [id, text(descriptor['name']) ?? ''];
  const described = [...name, descriptionText(descriptor['shortDescription']) ?? ''];
  const weaknesses = weaknessesOf(result, descriptor, [...tags, ...described]);
  const risks = [
    ...new Set([...tags, ...texts(properties(result)['owasp'])].flatMap((tag) => owaspRisk(tag) ?? [])),
  ];
  const byWeakness = categoryOfCwe(weaknesses);
  const isSecret =
    SECRET_TOOL.test(toolName) || byWeakness === 'exposed_secret' || [...name, ...tags].some(namesSecret);
  const isAdvisory = name.some((part) => ADVISORY.test(part));
  const isConfiguration =
    CONFIGURATION_TOOL.test(toolName) ||
    [...described, ...tags].some((word) => CONFIGURATION_WORDS.test(word));
  return {
    category: categoryNamed(
      (isAdvisory ? 'vulnerable_dependency' : undefined) ??
        (SECRET_TOOL.test(toolName) ? 'exposed_secret' : undefined) ??
        byWeakness ??
        categoryOfRule(rule, toolName) ??
        risks.map(categoryOfRisk).find((category) => category !== undefined),
      toolName,
    ),
    taxonomy: [...weaknesses.map((number) => `CWE-${number}`), ...risks.map((risk) => `OWASP ${risk}`)].slice(
      0,
      limits.finding.taxonomyMax,
    ),
    tags: [...new Set(tags)],
    evidenceKind: isAdvisory ? 'dependency' : isConfiguration ? 'configuration' : 'source',
    isSecret,
  };
}

function namesSecret(word: string): boolean {
  return SECRET_WORDS.test(word);
}

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((item) => text(item) ?? []);
}

const CWE_PAGE = /^https?:\/\/cwe\.mitre\.org\/data\/definitions\/(\d{1,5})\b/;

/** Of tags, properties, taxa and the rule's relations, each once, as the log orders them. */
function weaknessesOf(result: Fields, descriptor: Fields, said: readonly string[]): number[] {
  const taxa = [
    ...items(result['taxa']).map(fields),
    ...items(descriptor['relationships']).map((relation) => fields(fields(relation)['target'])),
  ].map((target) => {
    const id = text(target['id']) ?? '';
    const isNumber = /^\d+$/.test(id) && /\bcwe\b/i.test(text(fields(target['toolComponent'])['name']) ?? '');
    return isNumber ? `CWE-${id}` : id;
  });
  const stated = [descriptor, result].flatMap((of) => texts(properties(of)['cwe']));
  const [, documented] = CWE_PAGE.exec(text(descriptor['helpUri']) ?? '') ?? [];
  const page = documented === undefined ? [] : [`CWE-${documented}`];
  const message = text(fields(result['message'])['text']) ?? '';
  const bracketed = Array.from(message.matchAll(/\(CWE-\d{1,5}\b/g), ([found]) => found);
  return [...new Set([...said, ...taxa, ...stated, ...bracketed, ...page].flatMap(cwesIn))];
}

const CATEGORY_LENGTH_MAX = 80;
/** Ids that are numbers or codes say nothing as a category: `B104`, `CKV_DOCKER_2`, `AVD-AZU-0014`, a UUID. */
const CODE =
  /^(?:[A-Za-z]{0,6}-?\d+|[A-Z]{2,6}(?:[-_][A-Z0-9]+)*[-_]\d+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4,12}){4})$/;

/** The last part of the rule's id where that is a name, else the rule's name. */
function categoryOfRule({ id, descriptor }: Rule, toolName: string): string | undefined {
  const last = id.split(/[/.:()]/).findLast((part) => part.trim() !== '') ?? '';
  if (/[A-Za-z]{3}/.test(last) && !CODE.test(id) && !CODE.test(last)) return last;
  return text(descriptor['name']) ?? (id === '' ? undefined : `${toolName} ${id}`);
}

function categoryNamed(name: string | undefined, toolName: string): string {
  const category = normalizedCategory(name ?? '')
    .slice(0, CATEGORY_LENGTH_MAX)
    .replace(/_$/, '');
  if (category.length >= limits.finding.categoryLengthMin) return category;
  return `${normalizedCategory(toolName).slice(0, CATEGORY_LENGTH_MAX)}_result`.replace(/^_/, '');
}
