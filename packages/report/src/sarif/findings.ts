/**
 * One result as a finding. Its texts are the tool's own. If the tool does not give a text that a finding requires, the
 * text says so, and nothing is invented.
 */
import { limits, type Severity } from '@svc/contract';
import { packageNamed } from '../identity/advisories.ts';
import { adjustedSeverity } from '../intake/adjustments.ts';
import type { Arrival } from '../intake/deduplication.ts';
import { redactText } from '../secrets/redact.ts';
import { classificationOf, severityOf, type Classification } from './classification.ts';
import { items, type Fields } from './parts.ts';
import { evidenceOf, locationText, withoutLiterals, type EvidenceContext } from './evidence.ts';
import { firstSeenAtOf } from './first-seen.ts';
import { fixesOf, type Fixes } from './fixes.ts';
import { targetsOf, withTargets } from './links.ts';
import { isAbsolute, type FindingLocation } from './locations.ts';
import { filledMessage, PROSE_LENGTH_MAX, type Cleaner } from './messages.ts';
import { ownEvidence, ownPropertiesOf, type OwnAffected, type OwnProperties } from './own.ts';
import type { Rule } from './rules.ts';
import { boundedTags, importedTags } from './tags.ts';
import { isSuppressed, withSuppression } from './suppressions.ts';
import type { Taxa } from './taxa.ts';
import { descriptionOf, impactOf, planOf, referencesOf, remediationOf, summaryOf, titleOf } from './texts.ts';
import { validFinding } from './valid-finding.ts';

const { finding: bounds } = limits;

export interface ResultContext extends EvidenceContext {
  readonly taxa: Taxa;
}

export interface DraftFinding {
  readonly finding: Omit<Arrival, 'fingerprint'>;
  readonly ruleId: string;
  /** The message without the targets of its links and without secrets. */
  readonly message: string;
  /** The first line of the location, where the tool quotes it. */
  readonly quotedLine: string | undefined;
  /** The tool's quotes may be secrets. */
  readonly isSecret: boolean;
  /** The affected package of a published vulnerability, if the log names it. */
  readonly advisoryIn: string | undefined;
  /** False if the tool names line 1 only because the result has no line. */
  readonly isLineMeant: boolean;
  readonly isOutside: boolean;
  readonly isAdjusted: boolean;
}

export function findingOf(result: Fields, rule: Rule, context: ResultContext): DraftFinding {
  const { tool, locations, cleaner, losses } = context;
  const shortened = cleaner.shortened;
  const own = ownPropertiesOf(result, tool);
  const classification = { ...classificationOf(result, rule, context), ...classificationIn(own, cleaner) };
  const location = items(result['locations'])[0] ?? {
    physicalLocation: { artifactLocation: result['analysisTarget'] },
  };
  const findingLocation = locations.locationOf(location);
  const ruleName = rule.id || tool;
  const texts = textsOf(result, rule, { ...context, classification, ruleName });
  const fixes = fixesOf(result);
  losses.count('fixes', fixes.leftOut);
  const described = { result, classification, location, findingLocation, changes: fixes.changes, ...texts };
  const taxonomy = classification.taxonomy.slice(0, bounds.taxonomyMax);
  losses.count('taxonomy', classification.taxonomy.length - taxonomy.length + classification.unread.taxonomy);
  losses.count('tags', classification.unread.tags);
  const { adjusted, warnings } = adjustedSeverity({
    category: cleaner.category(classification.category),
    severity: severityOf(result, rule, tool),
    verification: own?.verification ?? 'needs_review',
    affected: affectedOf(ownAffected(own, cleaner) ?? affectedBy(findingLocation, tool), cleaner),
    evidence: (own && ownEvidence(own, cleaner)) ?? [
      ...withSuppression(evidenceOf(described, context), result, cleaner),
    ],
    ...proseOf(result, rule, { ...context, own, ...texts, classification, ruleName, fixes }),
  });
  const { tags, references } = listsOf(result, rule, { ...context, own, given: classification.tags });
  const firstSeenAt = firstSeenAtOf(result);
  const finding = {
    ...adjusted,
    ...(taxonomy.length > 0 && { taxonomy }),
    ...(tags && { tags: [...tags] }),
    ...(references && { references: [...references] }),
    ...(own?.further && cleaner.deep(own.further)),
    ...(firstSeenAt !== undefined && { firstSeenAt }),
    ...(isSuppressed(result) && {
      status: own?.isFalsePositive ? ('false_positive' as const) : ('accepted_risk' as const),
    }),
  };
  losses.count('texts', cleaner.shortened - shortened);
  const isAdvisory = classification.evidenceKind === 'dependency';
  return {
    finding: validFinding(finding, losses),
    ruleId: ruleName,
    message: redactText(texts.plain).text,
    quotedLine: findingLocation.line,
    isSecret: classification.isSecret,
    advisoryIn: isAdvisory ? packageNamed(findingLocation.within, findingLocation.file) : undefined,
    // For a package, tools may quote the first line of a lock file without meaning that line.
    isLineMeant: isAdvisory ? (findingLocation.lineStart ?? 0) > 1 : findingLocation.isLineMeant === true,
    isOutside:
      findingLocation.file !== undefined &&
      (isAbsolute(findingLocation.file) || findingLocation.file.startsWith('../')),
    isAdjusted: warnings.length > 0,
  };
}

interface Lists {
  readonly tags: readonly string[] | undefined;
  readonly references: readonly string[] | undefined;
}

/**
 * The properties of our own exports are complete; for other logs, tags name the tool and the rule, and references
 * are collected.
 */
function listsOf(
  result: Fields,
  rule: Rule,
  {
    own,
    given,
    ...context
  }: ResultContext & { readonly own: OwnProperties | undefined; readonly given: readonly string[] },
): Lists {
  if (own?.prose !== undefined) {
    const { tags, references } = own;
    return {
      tags: tags && boundedTags(tags, context),
      references: references && context.cleaner.deep(references),
    };
  }
  const references = referencesOf(result, rule, context);
  return {
    tags: importedTags(rule.id, given, context),
    references: references.length > 0 ? references : undefined,
  };
}

interface TextContext extends ResultContext {
  readonly classification: Classification;
  readonly ruleName: string;
}

/** The message, with the targets of its links and without them. */
function textsOf(result: Fields, rule: Rule, { locations, classification, ruleName, tool }: TextContext) {
  const targets = targetsOf(result, (location) => locationText(location, locations.locationOf(location)));
  const filled = filledMessage(result['message'], rule);
  const fallback = descriptionOf(rule) ?? `${tool} reports ${ruleName}.`;
  const safe = (text: string) => (classification.isSecret ? withoutLiterals(text) : text);
  const plain = filled === undefined ? '' : withTargets(filled, () => undefined).trim();
  const linked = filled === undefined || plain === '' ? fallback : withTargets(filled, targets).trim();
  return { targets, message: safe(linked), plain: safe(plain || fallback) };
}

interface ProseContext extends TextContext {
  readonly own: OwnProperties | undefined;
  readonly fixes: Fixes;
  readonly message: string;
  readonly plain: string;
}

function proseOf(result: Fields, rule: Rule, { own, message, plain, ...context }: ProseContext) {
  const { cleaner, tool, ruleName } = context;
  const title = titleIn(own) ?? titleOf(rule, plain, ruleName);
  const named = { title: cleaner.clean(title, bounds.titleLengthMax) };
  if (own?.prose !== undefined) {
    const { summary, impact, remediation, verificationPlan } = own.prose;
    return {
      ...named,
      summary: cleaner.clean(summary, bounds.summaryLengthMax),
      impact: cleaner.clean(impact, bounds.summaryLengthMax),
      remediation: cleaner.clean(remediation, bounds.remediationLengthMax),
      verificationPlan: cleaner.clean(verificationPlan, bounds.summaryLengthMax),
    };
  }
  const remediation = remediationOf(rule, context);
  return {
    ...named,
    summary: cleaner.clean(summaryOf(rule, message, tool, ruleName), PROSE_LENGTH_MAX),
    impact: cleaner.clean(impactOf(result, rule, tool, ruleName), PROSE_LENGTH_MAX),
    remediation: cleaner.clean(remediation, PROSE_LENGTH_MAX),
    verificationPlan: cleaner.clean(planOf(tool, ruleName), PROSE_LENGTH_MAX),
  };
}

/** The severity that the finding will have. */
export function finalSeverityOf(
  result: Fields,
  rule: Rule,
  { cleaner, ...context }: Pick<ResultContext, 'tool' | 'taxa' | 'cleaner'>,
): Severity {
  const severity = severityOf(result, rule, context.tool);
  if (severity !== 'critical' && severity !== 'high') return severity;
  const own = ownPropertiesOf(result, context.tool);
  const classification = classificationOf(result, rule, { ...context, cleaner });
  const { category } = { ...classification, ...classificationIn(own, cleaner) };
  return adjustedSeverity({
    category: cleaner.uncountedCategory(category),
    severity,
    verification: own?.verification ?? 'needs_review',
    evidence: [...(own?.evidence ?? [])],
  }).adjusted.severity;
}

function titleIn(own: OwnProperties | undefined): string | undefined {
  return [...(own?.title ?? '').trim()].length >= bounds.titleLengthMin ? own?.title : undefined;
}

function classificationIn(own: OwnProperties | undefined, { local }: Cleaner): Partial<Classification> {
  const { category = '', taxonomy } = own ?? {};
  const isCategory =
    category.length >= bounds.categoryLengthMin && category.length <= bounds.categoryLengthMax;
  const isName = (name: string) =>
    name.length <= bounds.taxonomyLengthMax && redactText(name).count === 0 && local(name) === name;
  return {
    ...(isCategory && { category }),
    ...(taxonomy && { taxonomy: taxonomy.filter(isName).slice(0, bounds.taxonomyMax) }),
  };
}

/** No other text names the location, because a viewer may be allowed to see the finding but not its location. */
function affectedBy(
  { file, origin, route, within, lineStart, lineEnd }: FindingLocation,
  tool: string,
): OwnAffected {
  return {
    component: within ?? tool,
    ...(file !== undefined && { file }),
    ...(route !== undefined && { route }),
    ...(origin !== undefined && { origin }),
    ...(lineStart !== undefined && { lineStart, lineEnd: lineEnd ?? lineStart }),
  };
}

/**
 * Removes local paths from the route and the origin: in a log with our own properties they can be any text, not only
 * addresses of a scanned program.
 */
function ownAffected(own: OwnProperties | undefined, { local }: Cleaner): OwnAffected | undefined {
  if (own?.affected === undefined) return undefined;
  const { route, origin, ...affected } = own.affected;
  return {
    ...affected,
    ...(route !== undefined && { route: local(route) }),
    ...(origin !== undefined && { origin: local(origin) }),
  };
}

function affectedOf({ component, file, route, origin, ...lines }: OwnAffected, cleaner: Cleaner) {
  const clean = (given: string) => cleaner.location(given, bounds.locationLengthMax);
  return {
    component: cleaner.clean(component, bounds.componentLengthMax),
    ...(file !== undefined && { file: clean(file) }),
    ...(route !== undefined && { route: clean(route) }),
    ...(origin !== undefined && { origin: clean(origin) }),
    ...lines,
  };
}
