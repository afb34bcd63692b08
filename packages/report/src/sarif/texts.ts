/** The texts of an imported finding, each the best that the log has. */
import { codePointsWithin, limits } from '@svc/contract';
import { levelOf, rankOf, scoreOf } from './classification.ts';
import { items, text, type Fields } from './parts.ts';
import type { Fixes } from './fixes.ts';
import type { Losses } from './losses.ts';
import { firstSentence, isUnfilled, type Cleaner } from './messages.ts';
import { ruleTextsOf } from './rule-texts.ts';
import type { Rule } from './rules.ts';

const { finding: bounds } = limits;

export function descriptionOf({ descriptor }: Rule): string | undefined {
  return ruleTextsOf(descriptor).description;
}

/** The first text that is long enough and that the tool filled in. */
export function titleOf({ descriptor, id }: Rule, message: string, ruleName: string): string {
  const { short, shortTitle, furtherTitles } = ruleTextsOf(descriptor);
  const candidates = [
    short === undefined || isFormal(short, id) ? undefined : shortTitle,
    isUnfilled(message) ? undefined : firstSentence(message),
    ...furtherTitles,
  ];
  const isTitle = (title: string | undefined) => isAtLeast((title ?? '').trim(), bounds.titleLengthMin);
  return candidates.find(isTitle)?.trim() ?? `Result of ${ruleName}`;
}

/** Some tools fill the description with the id. */
function isFormal(short: string, id: string): boolean {
  return short.trim() === id || (/[./:]/.test(id) && short.includes(id));
}

export function summaryOf(rule: Rule, message: string, tool: string, ruleName: string): string {
  const description = descriptionOf(rule);
  const parts = [message];
  if (description !== undefined && !message.includes(description) && !description.includes(message))
    parts.push(description);
  const summary = parts.join('\n\n');
  if (isAtLeast(summary, bounds.proseLengthMin)) return summary;
  const named = `${tool} reports ${ruleName}: ${summary}`;
  return isAtLeast(named, bounds.proseLengthMin) ? named : `The scanner ${named}`;
}

/** Counts characters, as the limits do. */
function isAtLeast(given: string, lengthMin: number): boolean {
  return codePointsWithin(given, lengthMin, Number.MAX_SAFE_INTEGER);
}

export function impactOf(result: Fields, rule: Rule, tool: string, ruleName: string): string {
  const score = scoreOf(result, rule, tool);
  const rating = score === undefined ? `level ${levelOf(result, rule)}` : `security severity ${score}`;
  const rank = rankOf(result, rule);
  const ranked = rank === undefined ? '' : ` and the rank ${rank} of 100`;
  const isOff = rule.configuration.isEnabled === false;
  const off = isOff ? ' The configuration of this run switches the rule off.' : '';
  return `Not stated by ${tool}, which gives ${ruleName} the ${rating}${ranked}.${off}`;
}

interface AdviceContext {
  readonly fixes: Fixes;
  readonly tool: string;
  readonly ruleName: string;
}

/** Markdown: the change that the tool proposes, and the rule's advice, unchanged. */
export function remediationOf({ descriptor }: Rule, { fixes, tool, ruleName }: AdviceContext): string {
  const { help, helpUri } = ruleTextsOf(descriptor);
  const proposed = fixes.changes.length > 0 ? ['The tool proposes a change: see the evidence.'] : [];
  const advice = [...fixes.advice, ...proposed, ...(help === undefined ? [] : [help])].join('\n\n');
  if (isAtLeast(advice, bounds.proseLengthMin)) return advice;
  const pointer = helpUri === undefined ? '' : ` Its rule is described at ${helpUri}.`;
  const rest = `${tool} gives no further advice on ${ruleName}.${pointer}`;
  return advice === '' ? rest : `${advice}\n\n${rest}`;
}

export function planOf(tool: string, ruleName: string): string {
  return `Run ${tool} again and check that it no longer reports ${ruleName} there.`;
}

interface ReferenceContext {
  readonly cleaner: Cleaner;
  readonly losses: Losses;
}

export function referencesOf(
  result: Fields,
  { descriptor }: Rule,
  { cleaner, losses }: ReferenceContext,
): string[] {
  const uris = [ruleTextsOf(descriptor).helpUri, result['hostedViewerUri'], ...items(result['workItemUris'])];
  const given = [...new Set(uris.flatMap((uri) => text(uri) ?? []))];
  const references = given
    .filter((uri) => /^https?:\/\/\S+$/i.test(uri))
    .map((uri) => cleaner.clean(uri, Number.MAX_SAFE_INTEGER))
    .filter((uri) => uri.length <= bounds.referenceLengthMax)
    .slice(0, bounds.referencesMax);
  losses.count('references', given.length - references.length);
  return references;
}
