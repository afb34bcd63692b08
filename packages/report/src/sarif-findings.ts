/**
 * One result as a finding. Its texts are the tool's own; where a finding must say something that the tool does not, it
 * says that the tool does not, and invents nothing.
 */
import { limits, type FindingEvidence } from '@svc/contract';
import { adjustedSeverity } from './adjustments.ts';
import type { Arrival } from './deduplication.ts';
import { redactText } from './redact.ts';
import {
  classificationOf,
  levelOf,
  scoreOf,
  severityOf,
  type Classification,
} from './sarif-classification.ts';
import { fields, items, text, type Fields } from './sarif-document.ts';
import { isAbsolute, type Place, type Places } from './sarif-locations.ts';
import { type Cleaner, descriptionText, firstSentence, flat, messageText } from './sarif-messages.ts';
import { ownWords, type OwnAffected, type OwnWords } from './sarif-own.ts';
import type { Rule } from './sarif-rules.ts';

const { finding: bounds } = limits;

/** Enough to see a place, and not to read the file. */
const SNIPPET_LENGTH_MAX = 2000;
const SNIPPET_LINES_MAX = 40;
/** Further places of one result. */
const PLACES_MAX = 8;
/** Steps of one flow of data; of longer ones the first and the last. */
const STEPS_MAX = 10;
const PROSE_LENGTH_MAX = 6000;

export interface ResultContext {
  readonly tool: string;
  readonly places: Places;
  readonly cleaner: Cleaner;
}

export interface DraftFinding {
  readonly finding: Omit<Arrival, 'fingerprint'>;
  readonly ruleId: string;
  /** The quoted line, or what the tool says where it quotes none. */
  readonly line: string;
  readonly isOutside: boolean;
  readonly isAdjusted: boolean;
}

export function findingOf(result: Fields, rule: Rule, context: ResultContext): DraftFinding {
  const { tool, places, cleaner } = context;
  const own = ownWords(result, tool);
  const classification = { ...classificationOf(result, rule, tool), ...classificationIn(own) };
  const [location, ...further] = items(result['locations']);
  const place = places.placeOf(
    location ?? { physicalLocation: { artifactLocation: result['analysisTarget'] } },
  );
  const ruleName = rule.id || tool;
  const said = messageText(result['message'], rule) ?? descriptionOf(rule) ?? `${tool} reports ${ruleName}.`;
  const message = classification.isSecret ? withoutLiterals(said) : said;
  const evidence = [
    evidenceOf(classification.evidenceKind, message, place, classification, context),
    ...suppressionEvidence(result, cleaner),
    ...stepsOf(result, classification, context),
    ...further
      .slice(0, PLACES_MAX)
      .map((other) => placeEvidence('Also here', other, classification, context)),
    ...items(result['relatedLocations'])
      .slice(0, PLACES_MAX)
      .map((other) => placeEvidence('Related', other, classification, context)),
  ];
  const references = referencesOf(result, rule, cleaner);
  const tags = classification.tags.map((tag) => cleaner.clean(tag, bounds.tagLengthMax));
  const { adjusted, warnings } = adjustedSeverity({
    title: cleaner.clean(titleIn(own) ?? titleOf(rule, message, ruleName), bounds.titleLengthMax),
    category: cleaner.category(classification.category),
    severity: severityOf(result, rule, tool),
    verification: own?.verification ?? 'needs_review',
    summary: cleaner.clean(summaryOf(rule, message, tool, ruleName), PROSE_LENGTH_MAX),
    impact: cleaner.clean(impactOf(result, rule, tool, ruleName), PROSE_LENGTH_MAX),
    affected: affectedOf(own?.affected ?? affectedBy(place, tool), cleaner),
    evidence,
    remediation: cleaner.clean(remediationOf(result, rule, tool, ruleName), PROSE_LENGTH_MAX),
    verificationPlan: cleaner.clean(planOf(tool, ruleName), PROSE_LENGTH_MAX),
  });
  return {
    finding: {
      ...adjusted,
      ...(classification.taxonomy.length > 0 && { taxonomy: [...classification.taxonomy] }),
      ...(tags.length > 0 && { tags: tags.slice(0, bounds.tagsMax) }),
      ...(references.length > 0 && { references }),
      ...(isSuppressed(result) && { status: own?.isFalsePositive ? 'false_positive' : 'accepted_risk' }),
    },
    ruleId: ruleName,
    // What a secret's line says is the secret; and the numbers in a message change when code moves.
    line: redactText((classification.isSecret ? undefined : place.line) ?? message.replaceAll(/\d+/g, '0'))
      .text,
    isOutside: place.file !== undefined && isAbsolute(place.file),
    isAdjusted: warnings.length > 0,
  };
}

/** Suppressed, unless somebody still has to agree or did not. */
export function isSuppressed(result: Fields): boolean {
  const suppressions = items(result['suppressions']).map(fields);
  return (
    suppressions.length > 0 && suppressions.every(({ status }) => (text(status) ?? 'accepted') === 'accepted')
  );
}

function suppressionEvidence(result: Fields, cleaner: Cleaner): FindingEvidence[] {
  if (!isSuppressed(result)) return [];
  const reasons = items(result['suppressions']).flatMap(
    (given) => text(fields(given)['justification']) ?? [],
  );
  const description = cleaner.clean(['Suppressed by the scan.', ...reasons].join(' '), PROSE_LENGTH_MAX);
  return [{ kind: 'other', description }];
}

function titleIn(own: OwnWords | undefined): string | undefined {
  return lengthOf((own?.title ?? '').trim()) >= bounds.titleLengthMin ? own?.title : undefined;
}

function classificationIn(own: OwnWords | undefined): Partial<Classification> {
  const { category = '', taxonomy } = own ?? {};
  const isCategory =
    category.length >= bounds.categoryLengthMin && category.length <= bounds.categoryLengthMax;
  const isName = (name: string) => name.length <= bounds.taxonomyLengthMax && redactText(name).count === 0;
  return {
    ...(isCategory && { category }),
    ...(taxonomy && { taxonomy: taxonomy.filter(isName).slice(0, bounds.taxonomyMax) }),
  };
}

/** Only what tells of the place names it: readers who may not know where a finding is can not learn it from the rest. */
function affectedBy({ file, origin, route, within, lineStart, lineEnd }: Place, tool: string): OwnAffected {
  return {
    component: within ?? tool,
    ...(file !== undefined && { file }),
    ...(route !== undefined && { route }),
    ...(origin !== undefined && { origin }),
    ...(lineStart !== undefined && { lineStart, lineEnd: lineEnd ?? lineStart }),
  };
}

function affectedOf({ component, file, route, origin, ...lines }: OwnAffected, cleaner: Cleaner) {
  const clean = (given: string) => cleaner.clean(given, bounds.locationLengthMax);
  return {
    component: cleaner.clean(component, bounds.componentLengthMax),
    ...(file !== undefined && { file: clean(file) }),
    ...(route !== undefined && { route: clean(route) }),
    ...(origin !== undefined && { origin: clean(origin) }),
    ...lines,
  };
}

function evidenceOf(
  kind: FindingEvidence['kind'],
  description: string,
  place: Place,
  { isSecret }: Classification,
  { cleaner, tool }: ResultContext,
): FindingEvidence {
  const before = cleaner.count;
  const { file, origin, route, lineStart, snippet } = place;
  const where = file ?? (origin === undefined ? undefined : `${origin}${route ?? ''}`);
  const location = where === undefined || lineStart === undefined ? where : `${where}:${lineStart}`;
  const quoted =
    isSecret || snippet === undefined ? undefined : fewLines(cleaner.clean(snippet, SNIPPET_LENGTH_MAX));
  const isLong = lengthOf(description) >= bounds.evidenceDescriptionLengthMin;
  const evidence = {
    kind,
    description: cleaner.clean(isLong ? description : `${tool} reports: ${description}`, PROSE_LENGTH_MAX),
    ...(quoted !== undefined && { snippet: quoted }),
    ...(location !== undefined && { location: cleaner.clean(location, bounds.locationLengthMax) }),
  };
  const isRedacted = cleaner.count > before || (isSecret && snippet !== undefined);
  return isRedacted ? { ...evidence, redacted: true } : evidence;
}

function placeEvidence(
  lead: string,
  location: unknown,
  classification: Classification,
  context: ResultContext,
): FindingEvidence {
  const place = context.places.placeOf(location);
  const said = messageText(fields(location)['message']) ?? place.within ?? 'no further description';
  const message = classification.isSecret ? withoutLiterals(said) : said;
  return evidenceOf('source', `${lead}: ${message}`, place, classification, context);
}

/** The way of the data through the code: the first flow that the tool gives. */
function stepsOf(result: Fields, classification: Classification, context: ResultContext): FindingEvidence[] {
  const flow = fields(items(fields(items(result['codeFlows'])[0])['threadFlows'])[0]);
  const steps = items(flow['locations']).map((step, index) => ({
    location: fields(step)['location'],
    index,
  }));
  const isShort = steps.length <= STEPS_MAX;
  const shown = isShort ? steps : [...steps.slice(0, STEPS_MAX / 2), ...steps.slice(-STEPS_MAX / 2)];
  return shown.map(({ location, index }) =>
    placeEvidence(`Step ${index + 1} of ${steps.length}`, location, classification, context),
  );
}

/** Of what is clean already: a key that is cut between its lines is no longer known for one. */
function fewLines(snippet: string): string {
  return snippet.split('\n', SNIPPET_LINES_MAX).join('\n');
}

const LITERAL = /"[^"\n]{1,500}"|'[^'\n]{1,500}'|`[^`\n]{1,500}`/g;

/** What a tool that looks for secrets quotes is what it found. */
function withoutLiterals(message: string): string {
  return message.replaceAll(LITERAL, '[redacted value]');
}

function descriptionOf({ descriptor }: Rule): string | undefined {
  const found =
    descriptionText(descriptor['fullDescription']) ?? descriptionText(descriptor['shortDescription']);
  return found === undefined ? undefined : flat(found).trim();
}

function titleOf({ descriptor, id }: Rule, message: string, ruleName: string): string {
  const short = descriptionText(descriptor['shortDescription']);
  const name = text(descriptor['name']);
  const candidates = [
    short === undefined || isFormal(short, id) ? undefined : firstSentence(flat(short)),
    firstSentence(message),
    name === undefined ? undefined : spaced(name),
  ];
  const isTitle = (title: string | undefined) => lengthOf((title ?? '').trim()) >= bounds.titleLengthMin;
  return candidates.find(isTitle)?.trim() ?? `Result of ${ruleName}`;
}

/** Some tools fill the description in with the id, or leave the names of variables in it. */
function isFormal(short: string, id: string): boolean {
  return short.trim() === id || (/[./:]/.test(id) && short.includes(id)) || /\$[A-Z_]{2}/.test(short);
}

/** `HardcodedPassword` and `hardcoded_password` read as words. */
function spaced(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])|[_-]+/g, ' ');
}

function summaryOf(rule: Rule, message: string, tool: string, ruleName: string): string {
  const description = descriptionOf(rule);
  const parts = [message];
  if (description !== undefined && !message.includes(description) && !description.includes(message))
    parts.push(description);
  const summary = parts.join('\n\n');
  if (lengthOf(summary) >= bounds.proseLengthMin) return summary;
  const named = `${tool} reports ${ruleName}: ${summary}`;
  return lengthOf(named) >= bounds.proseLengthMin ? named : `The scanner ${named}`;
}

/** In characters, as the limits count. */
function lengthOf(given: string): number {
  return [...given].length;
}

function impactOf(result: Fields, { descriptor }: Rule, tool: string, ruleName: string): string {
  const score = scoreOf(result) ?? scoreOf(descriptor);
  const rating = score === undefined ? `level ${levelOf(result, descriptor)}` : `security severity ${score}`;
  return `Not stated by ${tool}, which gives ${ruleName} the ${rating}.`;
}

function remediationOf(result: Fields, { descriptor }: Rule, tool: string, ruleName: string): string {
  const fixes = items(result['fixes']).flatMap((fix) => messageText(fields(fix)['description']) ?? []);
  const help = descriptionText(descriptor['help']);
  const advice = [...fixes, ...(help === undefined ? [] : [flat(help).trim()])].join('\n\n');
  if (lengthOf(advice) >= bounds.proseLengthMin) return advice;
  const uri = text(descriptor['helpUri']);
  const pointer = uri === undefined ? '' : ` Its rule is described at ${uri}.`;
  return `${advice} ${tool} gives no more advice on ${ruleName} with its result.${pointer}`.trim();
}

function planOf(tool: string, ruleName: string): string {
  return `Run ${tool} again and see that it no longer reports ${ruleName} there.`;
}

function referencesOf(result: Fields, { descriptor }: Rule, cleaner: Cleaner): string[] {
  const uris = [descriptor['helpUri'], result['hostedViewerUri'], ...items(result['workItemUris'])];
  const usable = uris.flatMap((uri) => text(uri) ?? []).filter((uri) => /^https?:\/\/\S+$/i.test(uri));
  return [...new Set(usable)]
    .map((uri) => cleaner.clean(uri, Number.MAX_SAFE_INTEGER))
    .filter((uri) => uri.length <= bounds.referenceLengthMax)
    .slice(0, bounds.referencesMax);
}
