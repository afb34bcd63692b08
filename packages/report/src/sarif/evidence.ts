/**
 * The evidence of one result: its location, its code flows, its related locations and the proposed changes, up to
 * the limit of a finding. What exceeds the limit is counted.
 */
import { codePointsWithin, limits, type FindingEvidence } from '@svc/contract';
import type { Classification } from './classification.ts';
import { columnsOf, spanText } from './columns.ts';
import { fields, itemAt, items, type Fields } from './parts.ts';
import type { Change } from './fixes.ts';
import type { FindingLocation, FindingLocations } from './locations.ts';
import type { Losses } from './losses.ts';
import { filledMessage, type Cleaner } from './messages.ts';
import { withTargets, type TargetText } from './links.ts';

const { finding: bounds } = limits;

/** Enough to recognize the location, not to read the file. */
const SNIPPET_LENGTH_MAX = 2000;
const SNIPPET_LINES_MAX = 40;
const DESCRIPTION_LENGTH_MAX = 6000;
/** The limit for all quotes in the evidence of one finding, in UTF-16 units. Quotes that do not fit are left out. */
const QUOTES_LENGTH_MAX = 16_000;
/** A flow shows at least this many steps, the first and the last, or none. */
const STEPS_MIN = 2;

export interface EvidenceContext {
  readonly tool: string;
  readonly locations: FindingLocations;
  readonly cleaner: Cleaner;
  readonly losses: Losses;
  /** The run's locations, to which steps may refer by index. */
  readonly threadFlowLocations: unknown;
}

export interface Described {
  readonly result: Fields;
  readonly classification: Classification;
  /** The result's own location. */
  readonly location: unknown;
  readonly findingLocation: FindingLocation;
  readonly message: string;
  /** The changes that the tool proposes. */
  readonly changes: readonly Change[];
  /** The targets of the links in its messages. */
  readonly targets: TargetText;
}

export function evidenceOf(described: Described, context: EvidenceContext): FindingEvidence[] {
  const { result, classification, location, findingLocation, message, changes } = described;
  const primary = itemOf(
    classification.evidenceKind,
    message,
    { location, findingLocation },
    described,
    context,
  );
  const [, ...further] = items(result['locations']);
  const related = items(result['relatedLocations']);
  const rest = [
    ...further.map((other) => ['Also here', other] as const),
    ...related.map((other) => ['Related', other] as const),
  ];
  const flows = flowsOf(result, context);
  const steps = flows.reduce((sum, { length }) => sum + length, 0);
  const room = bounds.evidenceMax - 1 - changes.length - (hasSuppressions(result) ? 1 : 0);
  // Locations are few in practice; flows are shortened before a location is left out.
  const shownRest = rest.slice(0, Math.max(room - steps, Math.floor(room / 2)));
  context.losses.count('locations', rest.length - shownRest.length);
  const shown = shortenedFlows(flows, room - shownRest.length, context.losses);
  return withinQuotes(
    [
      primary,
      ...shown.map((step) => locationEvidence(step, described, context)),
      ...shownRest.map(([lead, other]) =>
        locationEvidence({ lead, location: other, isShared: false }, described, context),
      ),
      ...changes.map((change) => changeEvidence(change, described, context)),
    ],
    context.losses,
  );
}

/** A result with suppressions may need one more item of evidence, for the suppression. */
function hasSuppressions(result: Fields): boolean {
  return items(result['suppressions']).length > 0;
}

interface Located {
  readonly location: unknown;
  readonly findingLocation: FindingLocation;
}

function itemOf(
  kind: FindingEvidence['kind'],
  description: string,
  { location: given, findingLocation }: Located,
  { classification: { isSecret } }: Described,
  { cleaner, tool, losses }: EvidenceContext,
): FindingEvidence {
  const before = cleaner.count;
  const { snippet } = findingLocation;
  const location = locationText(given, findingLocation);
  const quoted =
    isSecret || snippet === undefined
      ? undefined
      : fewLines(cleaner.clean(snippet, SNIPPET_LENGTH_MAX), losses);
  const isLong = codePointsWithin(description, bounds.evidenceDescriptionLengthMin, Number.MAX_SAFE_INTEGER);
  const evidence = {
    kind,
    description: cleaner.clean(
      isLong ? description : `${tool} reports: ${description}`,
      DESCRIPTION_LENGTH_MAX,
    ),
    ...(quoted !== undefined && { snippet: quoted }),
    ...(location !== undefined && { location: cleaner.location(location, bounds.locationLengthMax) }),
  };
  const isRedacted = cleaner.count > before || (isSecret && snippet !== undefined);
  return isRedacted ? { ...evidence, redacted: true } : evidence;
}

/** `src/a.ts:7:3-7:12`, or the requested address; undefined for a location without either. */
export function locationText(location: unknown, findingLocation: FindingLocation): string | undefined {
  const { file, origin, route, lineStart, lineEnd } = findingLocation;
  const where = file ?? (origin === undefined ? undefined : `${origin}${route ?? ''}`);
  if (where === undefined) return undefined;
  const span = {
    ...(lineStart !== undefined && { lineStart }),
    ...(lineEnd !== undefined && { lineEnd }),
  };
  return `${where}${spanText({ ...span, columns: columnsOf(location) })}`;
}

function locationEvidence(
  { lead, location, isShared }: Step,
  described: Described,
  context: EvidenceContext,
): FindingEvidence {
  const { locations } = context;
  const findingLocation = isShared ? locations.sharedLocationOf(location) : locations.locationOf(location);
  const ownMessage = filledMessage(fields(location)['message']);
  const shown =
    (ownMessage === undefined ? undefined : withTargets(ownMessage, described.targets).trim()) ||
    (findingLocation.within ?? 'no further description');
  const message = described.classification.isSecret ? withoutLiterals(shown) : shown;
  return itemOf('source', `${lead}: ${message}`, { location, findingLocation }, described, context);
}

function changeEvidence(
  { description, location, inserted }: Change,
  described: Described,
  context: EvidenceContext,
): FindingEvidence {
  const { snippet: _, ...findingLocation } = context.locations.locationOf(location);
  const quoted = inserted === undefined ? findingLocation : { ...findingLocation, snippet: inserted };
  return itemOf('other', description, { location, findingLocation: quoted }, described, context);
}

interface Step {
  readonly lead: string;
  readonly location: unknown;
  /** Whether other results may refer to the location. */
  readonly isShared: boolean;
}

/** All flows with all steps. The threads of one flow follow each other. */
function flowsOf(result: Fields, { threadFlowLocations }: EvidenceContext): Step[][] {
  const flows = items(result['codeFlows'])
    .flatMap((flow) => items(fields(flow)['threadFlows']))
    .map((flow) => items(fields(flow)['locations']).map(fields))
    .filter(({ length }) => length > 0);
  return flows.map((steps, flow) => {
    const lead = flows.length === 1 ? 'Step' : `Flow ${flow + 1} of ${flows.length}, step`;
    return steps.map((step, index) => ({
      lead: `${lead} ${index + 1} of ${steps.length}`,
      ...(step['location'] === undefined
        ? { location: itemAt(threadFlowLocations, step['index'])?.['location'], isShared: true }
        : { location: step['location'], isShared: false }),
    }));
  });
}

/** As many steps as fit: the beginning and the end of each flow, the first flows first. */
function shortenedFlows(flows: readonly Step[][], room: number, losses: Losses): Step[] {
  const shown: Step[] = [];
  let left = Math.max(0, room);
  for (const [index, steps] of flows.entries()) {
    const following = flows.length - index - 1;
    const fair = Math.max(STEPS_MIN, left - following * STEPS_MIN);
    const count = Math.min(steps.length, fair, left);
    if (count < Math.min(STEPS_MIN, steps.length)) {
      losses.count('flows');
      losses.count('steps', steps.length);
      continue;
    }
    const head = Math.ceil(count / 2);
    shown.push(...steps.slice(0, head), ...steps.slice(steps.length - (count - head)));
    losses.count('steps', steps.length - count);
    left -= count;
  }
  return shown;
}

/** Keeps each quote that still fits within the limit, in order. */
function withinQuotes(evidence: readonly FindingEvidence[], losses: Losses): FindingEvidence[] {
  let length = 0;
  return evidence.map((item) => {
    length += item.snippet?.length ?? 0;
    if (item.snippet === undefined || length <= QUOTES_LENGTH_MAX) return item;
    length -= item.snippet.length;
    losses.count('quotes');
    const { snippet: _, ...rest } = item;
    return rest;
  });
}

/** Redact a snippet before this cut: a key that is cut between its lines is no longer recognizable. */
function fewLines(snippet: string, losses: Losses): string {
  const lines = snippet.split('\n', SNIPPET_LINES_MAX + 1);
  if (lines.length <= SNIPPET_LINES_MAX) return snippet;
  losses.count('texts');
  return lines.slice(0, SNIPPET_LINES_MAX).join('\n');
}

const LITERAL = /"[^"\n]{1,500}"|'[^'\n]{1,500}'|`[^`\n]{1,500}`/g;

/** Redacts quoted values in a message, since a tool that searches for secrets quotes the secret. */
export function withoutLiterals(message: string): string {
  return message.replaceAll(LITERAL, '[redacted value]');
}
