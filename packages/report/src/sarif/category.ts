/**
 * The category of a result. Vulnerable dependencies and exposed secrets have fixed ones. For any other result it is the
 * name of its weakness if known, so that results of different tools have the same category, or else the name of its
 * rule. It is not part of the result's identity.
 */
import { limits } from '@svc/contract';
import { ADVISORY } from '../identity/advisories.ts';
import { normalizedCategory } from '../intake/adjustments.ts';
import { redactText } from '../secrets/redact.ts';
import { isCode } from './codes.ts';
import type { Fields } from './parts.ts';
import { firstSentence, flat, hasHole } from './messages.ts';
import { ruleTextsOf } from './rule-texts.ts';
import type { Rule } from './rules.ts';
import { tagsIn } from './tags.ts';
import { categoryOfRisk, owaspRisk } from './weaknesses.ts';

const CATEGORY_LENGTH_MAX = 80;

export const SECRET_TOOL = /gitleaks|trufflehog|detect-secrets|secret|ggshield|whispers/i;

export interface CategoryContext {
  /** The category from the CWE numbers in the log. */
  readonly byWeakness: string | undefined;
  /** Replaces paths of this machine: a category has no separators by which they could be recognized. */
  readonly local: (text: string) => string;
}

export function categoryOf(rule: Rule, toolName: string, { byWeakness, local }: CategoryContext): string {
  const isAdvisory = [rule.id, ruleTextsOf(rule.descriptor).name ?? ''].some((name) => ADVISORY.test(name));
  if (isAdvisory) return 'vulnerable_dependency';
  if (SECRET_TOOL.test(toolName)) return 'exposed_secret';
  const id = local(rule.id);
  const name = byWeakness ?? nameIn(id) ?? wordsOf(rule.descriptor, rule.id);
  return categoryNamed(local(name ?? coded(id, toolName) ?? ''), toolName);
}

/** The last part of an id if that is a name. */
function nameIn(id: string): string | undefined {
  const last = id.split(/[/.:()]/).findLast((part) => part.trim() !== '') ?? '';
  return isCode(id) || isCode(last) || !/[A-Za-z]{3}/.test(last) ? undefined : last;
}

/** Other names of a rule: its name, its short description, or a tag. */
function wordsOf(descriptor: Fields, id: string): string | undefined {
  const { name: ownName, short } = ruleTextsOf(descriptor);
  const tags = tagsIn(descriptor).tags;
  const candidates = [
    ownName,
    short === undefined ? undefined : firstSentence(flat(short)),
    tags.find(isTopic),
    tags
      .map(owaspRisk)
      .map((risk) => (risk === undefined ? undefined : categoryOfRisk(risk)))
      .find((risk) => risk !== undefined),
  ];
  return candidates.find(
    (name) =>
      name !== undefined && name.trim() !== id && /[A-Za-z]{3}/.test(name) && !isCode(name) && !hasHole(name),
  );
}

/** Tags that do not describe the subject of a rule. */
const GENERAL =
  /^(?:security|correctness|performance|maintainability|style|vulnerability|bug|code[ _-]?smell|default|(?:very-)?(?:high|medium|low)|critical|error|warning|note|info|(?:high|medium|low|critical)[ _-]\w+)$/i;

function isTopic(tag: string): boolean {
  return (
    /^[A-Za-z][A-Za-z0-9 _-]{2,60}$/.test(tag) &&
    !GENERAL.test(tag) &&
    !/\bcwe\b|owasp|confidence|severity|precision|likelihood|impact/i.test(tag)
  );
}

/** The beginning of a UUID or a hash is enough to distinguish rules. */
function coded(id: string, toolName: string): string | undefined {
  if (id === '') return undefined;
  const isLong = id.length > 24 && isCode(id);
  return isLong ? `${toolName} rule ${id.slice(0, 8)}` : `${toolName} ${id}`;
}

function categoryNamed(name: string, toolName: string): string {
  // Redacts first, since normalization makes a token between underscores unrecognizable.
  const category = shortened(normalizedCategory(redactText(name).text));
  if (category.length >= limits.finding.categoryLengthMin) return category;
  return `${normalizedCategory(toolName).slice(0, CATEGORY_LENGTH_MAX)}_result`.replace(/^_/, '');
}

function shortened(category: string): string {
  return category.slice(0, CATEGORY_LENGTH_MAX).replace(/_$/, '');
}
