/**
 * Properties of our own exports beyond those of other scanners, so that a report exported as SARIF is imported with
 * the same severities, locations and fingerprints, and can be compared with other reports of its project. Each property
 * is accepted only with a value that a finding may have: anyone can write such a log, as anyone can submit such a
 * finding. The severity is checked against level and score (`severityOf`). The fingerprint and the identity tags cannot
 * be checked.
 */
import {
  closed,
  Finding,
  type FindingEvidence,
  severities,
  verifications,
  type Severity,
  type Verification,
} from '@svc/contract';
import { OWN_FINGERPRINT, OWN_TOOL } from '../identity/own-names.ts';
import { repaired } from '../intake/schema-repair.ts';
import { fields, itemAt, items, natural, text, type Fields } from './parts.ts';
import type { Cleaner } from './messages.ts';

export interface OwnAffected {
  readonly component: string;
  readonly file?: string;
  readonly route?: string;
  readonly origin?: string;
  readonly lineStart?: number;
  readonly lineEnd?: number;
}

/** The texts of a finding, which its message combines. */
export interface OwnProse {
  readonly summary: string;
  readonly impact: string;
  readonly remediation: string;
  readonly verificationPlan: string;
}

/** The optional properties of a finding. */
type OwnFurther = Partial<Pick<Finding, 'reproduction' | 'corroboration' | 'secretReferences'>>;

export interface OwnProperties {
  readonly title?: string;
  readonly category?: string;
  readonly severity?: Severity;
  readonly verification?: Verification;
  readonly taxonomy?: readonly string[];
  readonly affected?: OwnAffected;
  readonly isFalsePositive: boolean;
  readonly fingerprint?: string;
  /** Set only where the log has all four texts. */
  readonly prose?: OwnProse;
  readonly evidence?: readonly FindingEvidence[];
  readonly tags?: readonly string[];
  readonly references?: readonly string[];
  readonly further?: OwnFurther;
}

const CATEGORY = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;
const FINGERPRINT = /^[0-9a-f]{64}$/;

/** Undefined for a result of another tool. */
export function ownPropertiesOf(result: Fields, toolName: string): OwnProperties | undefined {
  if (toolName !== OWN_TOOL) return undefined;
  const own = fields(result['properties']);
  const category = text(own['category']);
  const fingerprint = text(fields(result['partialFingerprints'])[OWN_FINGERPRINT]);
  const words = {
    title: text(own['title']),
    category: category !== undefined && CATEGORY.test(category) ? category : undefined,
    severity: severities.find((severity) => severity === own['severity']),
    verification: verifications.find((verification) => verification === own['verification']),
    // In our own log, a finding without weaknesses has none, even if its rule has some.
    taxonomy: category === undefined ? undefined : items(own['taxonomy']).flatMap((item) => text(item) ?? []),
    affected: affectedOf(fields(own['affected'])),
    fingerprint: fingerprint !== undefined && FINGERPRINT.test(fingerprint) ? fingerprint : undefined,
  };
  return {
    ...present(words),
    ...completeProperties(result, own),
    isFalsePositive: own['status'] === 'false_positive',
  };
}

const Prose = closed({
  summary: Finding.properties.summary,
  impact: Finding.properties.impact,
  remediation: Finding.properties.remediation,
  verificationPlan: Finding.properties.verificationPlan,
});
const { reproduction, corroboration, secretReferences, tags, references, evidence } = Finding.properties;
const Further = closed({ reproduction, corroboration, secretReferences });
const Listed = closed({ tags, references });
const Evidence = closed({ evidence });

/** The properties that count only in a log with all texts of the finding. */
function completeProperties(result: Fields, own: Fields): Partial<OwnProperties> {
  const { summary, impact, remediation, verificationPlan } = own;
  const { value: prose } = repaired<OwnProse>(Prose, { summary, impact, remediation, verificationPlan });
  if (prose === undefined) return {};
  const { value: shown } = repaired<{ evidence: FindingEvidence[] }>(Evidence, {
    evidence: quotedEvidence(result, own['evidence']),
  });
  const { value: further } = repaired<OwnFurther>(
    Further,
    present({
      reproduction: own['reproduction'],
      corroboration: own['corroboration'] && quotedEvidence(result, own['corroboration']),
      secretReferences: own['secretReferences'],
    }),
  );
  const { value: listed } = repaired<Pick<OwnProperties, 'tags' | 'references'>>(
    Listed,
    present({ tags: own['tags'], references: own['references'] }),
  );
  return { prose, ...listed, ...present({ evidence: shown?.evidence, further }) };
}

/**
 * Evidence with its quotes restored. An item names the location that has its quote by an index: 0 for the result's own
 * location, from 1 for related locations.
 */
function quotedEvidence(result: Fields, given: unknown): unknown[] {
  const locations = [itemAt(result['locations'], 0), ...items(result['relatedLocations']).map(fields)];
  return items(given).map((item) => {
    const { quotedIn, ...rest } = fields(item);
    const index = natural(quotedIn);
    if (index === undefined) return item;
    const region = fields(fields(locations[index]?.['physicalLocation'])['region']);
    const { text: snippet } = fields(region['snippet']);
    return typeof snippet === 'string' ? { ...rest, snippet } : rest;
  });
}

/** The evidence without secrets; undefined where the log has no valid evidence. */
export function ownEvidence(
  { evidence: given }: OwnProperties,
  cleaner: Cleaner,
): FindingEvidence[] | undefined {
  return given?.map((item) => cleaner.deep(item));
}

/** The scanners that our own log names, with their versions where it has them. */
export function ownTools(run: Fields): { readonly name: string; readonly version?: string }[] {
  return items(fields(run['tool'])['extensions']).flatMap((extension) => {
    const { name, version } = fields(extension);
    const [named, numbered] = [text(name), text(version)];
    return named === undefined ? [] : [{ name: named, ...present({ version: numbered }) }];
  });
}

function affectedOf(own: Fields): OwnAffected | undefined {
  const component = text(own['component']);
  if (component === undefined) return undefined;
  const [lineStart, lineEnd] = [own['lineStart'], own['lineEnd']].map(natural);
  const location = { file: text(own['file']), route: text(own['route']), origin: text(own['origin']) };
  return {
    component,
    ...present(location),
    ...(lineStart && { lineStart }),
    ...(lineEnd && { lineEnd }),
  };
}

type Present<Of> = { [Name in keyof Of]?: Exclude<Of[Name], undefined> };

function present<Of extends object>(values: Of): Present<Of> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<Of>;
}
