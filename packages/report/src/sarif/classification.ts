/** Classifies a result: severity, taxonomy, tags, and whether it is about a secret. */
import { severities, type EvidenceKind, type Severity } from '@svc/contract';
import { ADVISORY } from '../identity/advisories.ts';
import { categoryOf, SECRET_TOOL } from './category.ts';
import { isRank } from './configurations.ts';
import { fields, items, text, type Fields } from './parts.ts';
import { folded, severityOfLevel } from './levels.ts';
import { properties, type Cleaner } from './messages.ts';
import { ownPropertiesOf } from './own.ts';
import { ruleTextsOf } from './rule-texts.ts';
import type { Rule } from './rules.ts';
import { boundedTexts, tagsIn } from './tags.ts';
import type { Taxa } from './taxa.ts';
import { cwesIn } from '../reading/cwe-numbers.ts';
import { categoryOfCwe, owaspRisk } from './weaknesses.ts';

/**
 * The tool's own score if it gives one, on the CVSS scale; otherwise its level, and without one its rank. Tools that
 * search for secrets give none of these, and their results are more severe than the default of a log. A score of 0
 * counts only where nothing else is stated: tools write it for what they have not rated. In our own exports, the worst
 * of severity, level and score counts.
 */
export function severityOf(result: Fields, rule: Rule, toolName: string): Severity {
  const own = ownPropertiesOf(result, toolName)?.severity;
  const score = scoreOf(result, rule, toolName);
  if (own !== undefined) return worstOf(own, severityOfLevel(levelOf(result, rule)), score);
  if (score !== undefined) return severityOfScore(score);
  if (statedLevel(result, rule) === undefined) {
    if (SECRET_TOOL.test(toolName)) return 'high';
    const rank = rankOf(result, rule);
    if (rank !== undefined) return severityOfScore(rank / 10);
  }
  return severityOfLevel(levelOf(result, rule)) ?? 'medium';
}

/**
 * Anyone can write a log in our name, so no property makes a result less severe than the rest of the log does. Our
 * exports have one level for `low` and `info`.
 */
function worstOf(own: Severity, ofLevel: Severity = 'medium', score = 0): Severity {
  const all = new Set([own, ofLevel === 'low' ? 'info' : ofLevel, severityOfScore(score)]);
  return severities.find((severity) => all.has(severity)) ?? own;
}

function severityOfScore(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
}

/** The tool's urgency, from 0 to 100. */
export function rankOf(result: Fields, { configuration }: Rule): number | undefined {
  const { rank } = result;
  return isRank(rank) ? rank : configuration.rank;
}

/** The score that decides: the result's, else its rule's. */
export function scoreOf(result: Fields, rule: Rule, toolName: string): number | undefined {
  const given = [result, rule.descriptor].map(scoreIn);
  const score = given.find((each) => each !== undefined && each > 0);
  if (score !== undefined) return score;
  const isRated =
    statedLevel(result, rule) !== undefined ||
    rankOf(result, rule) !== undefined ||
    SECRET_TOOL.test(toolName);
  return isRated ? undefined : given.find((each) => each !== undefined);
}

const SCORE_LENGTH_MAX = 40;

function scoreIn(of: Fields): number | undefined {
  const given = properties(of)['security-severity'];
  const isNumber = typeof given === 'string' && given.length <= SCORE_LENGTH_MAX && given.trim() !== '';
  const score = isNumber ? Number(given) : given;
  return typeof score === 'number' && score >= 0 && score <= 10 ? score : undefined;
}

export function levelOf(result: Fields, rule: Rule): string {
  return statedLevel(result, rule) ?? (isFailure(result) ? 'warning' : 'note');
}

/** If a result is not a failure, its level `none` does not count: it would have the level of its rule. */
function statedLevel(result: Fields, { configuration }: Rule): string | undefined {
  const level = text(result['level']);
  const isStated = level !== undefined && (isFailure(result) || folded(level) !== 'none');
  return isStated ? level : configuration.level;
}

/** The kinds of results that are not failures. An unknown kind counts as a failure. */
const OTHER_KINDS = new Set(['pass', 'open', 'informational', 'notapplicable', 'review']);

function isFailure(result: Fields): boolean {
  return !OTHER_KINDS.has(folded(text(result['kind']) ?? 'fail'));
}

export interface Classification {
  /** The same for all results with the same rule, except those that name further weaknesses. */
  readonly category: string;
  readonly taxonomy: readonly string[];
  readonly tags: readonly string[];
  /** How many tags and weaknesses of the log were not read. */
  readonly unread: { readonly tags: number; readonly taxonomy: number };
  readonly evidenceKind: EvidenceKind;
  /** The tool may quote the secret itself, in an unknown format. */
  readonly isSecret: boolean;
}

const SECRET_WORDS =
  /secret|passw(?:or)?d|credential|private[ _-]?key|api[ _-]?key|access[ _-]?(?:key|token)|auth[ _-]?token/i;
const CONFIGURATION_TOOL = /checkov|kics|tfsec|terrascan|hadolint|kubesec|kube-linter|polaris/i;
const CONFIGURATION_WORDS = /misconfig|terraform|kubernetes|dockerfile|\biac\b/i;

interface RunContext {
  readonly tool: string;
  readonly taxa: Taxa;
  readonly cleaner: Cleaner;
}

/** Caches the classification of results that only their rule classifies; a rule belongs to one run. */
const ofRules = new WeakMap<Rule, Classification>();

export function classificationOf(result: Fields, rule: Rule, context: RunContext): Classification {
  if (hasMoreToClassify(result)) return weighed(result, rule, context);
  let known = ofRules.get(rule);
  if (known === undefined) ofRules.set(rule, (known = weighed(result, rule, context)));
  return known;
}

function hasMoreToClassify({ taxa, properties: bag, message }: Fields): boolean {
  return taxa !== undefined || bag !== undefined || bracketedWeaknesses(message).length > 0;
}

function weighed(result: Fields, rule: Rule, { tool: toolName, taxa, cleaner }: RunContext): Classification {
  const { descriptor, id } = rule;
  const given = [descriptor, result].map(tagsIn);
  const tags = given.flatMap((of) => of.tags);
  const ruleTexts = ruleTextsOf(descriptor);
  const name = [id, ruleTexts.name ?? ''];
  const described = [...name, ruleTexts.short ?? ''];
  const { referred, unread: unreadTaxa } = taxaOf(result, descriptor);
  const weaknesses = weaknessesOf(result, descriptor, [
    ...tags,
    ...described,
    ...referred.map((taxon) => taxa.idOf(taxon)),
  ]);
  const risks = [
    ...new Set([...tags, ...texts(properties(result)['owasp'])].flatMap((tag) => owaspRisk(tag) ?? [])),
  ];
  const byWeakness = categoryOfCwe(weaknesses);
  const isAdvisory = name.some((part) => ADVISORY.test(part));
  const isConfiguration =
    CONFIGURATION_TOOL.test(toolName) ||
    [...described, ...tags].some((word) => CONFIGURATION_WORDS.test(word));
  return {
    category: categoryOf(rule, toolName, { byWeakness, local: cleaner.local }),
    taxonomy: [...weaknesses.map((number) => `CWE-${number}`), ...risks.map((risk) => `OWASP ${risk}`)],
    tags: [...new Set(tags)],
    unread: { tags: given.reduce((sum, { unread }) => sum + unread, 0), taxonomy: unreadTaxa },
    evidenceKind: isAdvisory ? 'dependency' : isConfiguration ? 'configuration' : 'source',
    isSecret:
      SECRET_TOOL.test(toolName) || byWeakness === 'exposed_secret' || [...name, ...tags].some(namesSecret),
  };
}

function namesSecret(word: string): boolean {
  return SECRET_WORDS.test(word);
}

function texts(value: unknown): string[] {
  return boundedTexts((Array.isArray(value) ? value : [value]).slice(0, TAXA_READ_MAX));
}

const CWE_PAGE = /^https?:\/\/cwe\.mitre\.org\/data\/definitions\/(\d{1,5})\b/;

/** The limit for a rule, and for a result. */
const TAXA_READ_MAX = 100;

function taxaOf(result: Fields, descriptor: Fields) {
  const lists = [items(result['taxa']), items(descriptor['relationships'])];
  const [taxa = [], relations = []] = lists.map((list) => list.slice(0, TAXA_READ_MAX).map(fields));
  return {
    referred: [...taxa, ...relations.map((relation) => fields(relation['target']))],
    unread: lists.reduce((sum, { length }) => sum + Math.max(0, length - TAXA_READ_MAX), 0),
  };
}

/** Weaknesses from tags, names, taxa, properties, the message and the help page, in this order, without duplicates. */
function weaknessesOf(result: Fields, descriptor: Fields, sources: readonly string[]): number[] {
  const stated = [descriptor, result].flatMap((of) => texts(properties(of)['cwe']));
  const [, documented] = CWE_PAGE.exec(ruleTextsOf(descriptor).helpUri ?? '') ?? [];
  const page = documented === undefined ? [] : [`CWE-${documented}`];
  const bracketed = bracketedWeaknesses(result['message']);
  return [...new Set([...sources, ...stated, ...bracketed, ...page].flatMap(cwesIn))];
}

function bracketedWeaknesses(message: unknown): string[] {
  const sentence = text(fields(message)['text']) ?? '';
  if (!sentence.includes('(CWE-')) return [];
  return Array.from(sentence.matchAll(/\(CWE-\d{1,5}\b/g), ([found]) => found);
}
