/** A finding as a result: its message, its location, its evidence, and the decision about it. */
import type { ProjectedEvidence, ProjectedFinding, Severity, Verification } from '@svc/contract';
import type { Location, LogicalLocation, Result, Suppression } from 'sarif';
import { fingerprintOf } from '../identity/fingerprint.ts';
import { OWN_FINGERPRINT } from '../identity/own-names.ts';
import {
  evidenceLocation,
  fileUri,
  linesOf,
  physicalLocation,
  regionOf,
  ROOT_URI,
  type Columns,
  type EvidenceLocation,
  type Lines,
} from './sarif-locations.ts';
import { levels } from './sarif-rules.ts';
import { messageMarkdownOf, messageOf, plain, type MessageEvidence } from './sarif-texts.ts';

/** The name of the fingerprint that replaces a missing one. */
const CONTENT_KEY = 'svcContent/v1';

const severityRanks: Readonly<Record<Severity, number>> = {
  critical: 95,
  high: 80,
  medium: 55,
  low: 25,
  info: 5,
};
/** Within one severity, verified findings come first. */
const verificationRanks: Readonly<Record<Verification, number>> = {
  verified: 4,
  strong_evidence: 2,
  needs_review: 0,
};

/** A rank from 0 to 100; the most urgent result has the highest. */
export function rankOf({ severity, verification }: ProjectedFinding): number {
  return severityRanks[severity] + verificationRanks[verification];
}

const justifications = {
  accepted_risk: 'The risk was accepted.',
  false_positive: 'This is a false positive.',
} as const;

export function suppressionsOf({ status }: ProjectedFinding): Suppression[] {
  if (status !== 'accepted_risk' && status !== 'false_positive') return [];
  return [{ kind: 'external', status: 'accepted', justification: justifications[status] }];
}

/** The rule of a result. */
export interface RuleReference {
  readonly ruleId: string;
  readonly ruleIndex: number;
}

/** @param detectedAt the time of first detection, for a finding that has no such time */
export function resultOf(finding: ProjectedFinding, rule: RuleReference, detectedAt?: string): Result {
  const { affected, evidence, corroboration = [], firstSeenAt = detectedAt } = finding;
  const own = ownLocation(finding);
  const { location, inMessage, related, kept } = locatedEvidence([...evidence, ...corroboration], own);
  return {
    ruleId: rule.ruleId,
    ruleIndex: rule.ruleIndex,
    level: levels[finding.severity],
    message: {
      text: messageOf(finding, inMessage).toWellFormed(),
      markdown: messageMarkdownOf(finding, inMessage).toWellFormed(),
    },
    locations: [{ ...location, logicalLocations: logicalLocations(affected, own.isFile) }],
    ...(related.length > 0 && { relatedLocations: related }),
    partialFingerprints: partialFingerprints(finding),
    rank: rankOf(finding),
    ...(firstSeenAt !== undefined && {
      provenance: { firstDetectionTimeUtc: new Date(firstSeenAt).toISOString() },
    }),
    properties: propertiesOf(finding, kept),
  };
}

interface OwnLocation {
  readonly uri: string;
  readonly isFile: boolean;
  readonly lines: Lines | undefined;
}

function ownLocation({ affected: { file, lineStart, lineEnd } }: ProjectedFinding): OwnLocation {
  const uri = fileUri(file);
  return {
    uri: uri ?? ROOT_URI,
    isFile: uri !== undefined,
    lines: uri === undefined ? undefined : linesOf(lineStart, lineEnd),
  };
}

/** An item of the evidence in the properties, without its quote if a region of the result contains it. */
type KeptEvidence = Omit<ProjectedEvidence, 'snippet'> & {
  readonly snippet?: string;
  /** 0 for the result's own location, else the id of a related one. */
  readonly quotedIn?: number;
};

/**
 * The evidence in order. The first quote of the finding's own lines is in the region of the result. Any other evidence
 * in a file becomes a related location, to which the message links. The message quotes the rest.
 */
function locatedEvidence(evidence: readonly ProjectedEvidence[], own: OwnLocation) {
  const inMessage: MessageEvidence[] = [];
  const related: Location[] = [];
  const kept: KeptEvidence[] = [];
  let quoted: string | undefined;
  let columns: Columns | undefined;
  for (const item of evidence) {
    const { kind, description, snippet, location: given, redacted } = item;
    const found = evidenceLocation(given);
    const isOwn = found !== undefined && found.uri === own.uri && isOwnLine(found, own);
    columns ??= isOwn ? found.columns : undefined;
    if (isOwn && quoted === undefined && snippet !== undefined) {
      quoted = snippet.toWellFormed();
      inMessage.push({ description });
      kept.push(quotedIn(item, 0));
    } else if (found === undefined) {
      inMessage.push({
        description,
        ...(given !== undefined && { location: given }),
        ...(snippet !== undefined && { snippet }),
      });
      kept.push(item);
    } else {
      const id = related.length + 1;
      const isQuoted = found.lines !== undefined;
      related.push({
        id,
        physicalLocation: physicalLocation(
          found.uri,
          found.lines && regionOf(found.lines, found.columns, snippet?.toWellFormed()),
        ),
        message: { text: plain(description.trim() === '' ? kind : description) },
        properties: { kind, ...(redacted !== undefined && { redacted }) },
      });
      inMessage.push({
        description,
        location: given ?? found.uri,
        target: id,
        ...(!isQuoted && snippet !== undefined && { snippet }),
      });
      kept.push(isQuoted && snippet !== undefined ? quotedIn(item, id) : item);
    }
  }
  const region = regionOf(own.lines ?? { start: 1, end: 1 }, columns, quoted);
  return { location: { physicalLocation: physicalLocation(own.uri, region) }, inMessage, related, kept };
}

function isOwnLine({ lines }: EvidenceLocation, own: OwnLocation): boolean {
  return lines !== undefined && lines.start === own.lines?.start;
}

function quotedIn({ snippet: _, ...rest }: ProjectedEvidence, id: number): KeptEvidence {
  return { ...rest, quotedIn: id };
}

/** The component, the route and the origin of the finding, and its file if that is not one of the repository. */
function logicalLocations(
  { component, file, route, origin }: ProjectedFinding['affected'],
  isFile: boolean,
): LogicalLocation[] {
  const named = [
    { name: component, kind: 'module' },
    { name: route ?? '', kind: 'resource' },
    { name: origin ?? '', kind: 'resource' },
    { name: isFile ? '' : (file ?? ''), kind: 'module' },
  ];
  const given = named.filter(({ name }) => name.trim() !== '');
  const shown = given.length > 0 ? given : [{ name: 'unnamed component', kind: 'module' }];
  const seen = new Set<string>();
  return shown.flatMap(({ name, kind }) => {
    if (seen.has(name)) return [];
    seen.add(name);
    return [{ fullyQualifiedName: name.toWellFormed(), kind }];
  });
}

/**
 * Replaces a missing fingerprint with a digest of category, location, component and title. It stays the same while
 * lines and other findings change.
 */
function partialFingerprints({ fingerprint, category, affected, title }: ProjectedFinding) {
  if (fingerprint !== undefined) return { [OWN_FINGERPRINT]: fingerprint };
  const rootCause = ['content', affected.component, title];
  return { [CONTENT_KEY]: fingerprintOf({ category, affected, rootCause }) };
}

/**
 * Properties for what SARIF has no field for, and for the texts that the message combines. Our own import reads them,
 * so an export and its import lose nothing and add nothing. Undefined properties are left out.
 */
function propertiesOf(finding: ProjectedFinding, kept: readonly KeptEvidence[]): Record<string, unknown> {
  const { id, title, category, severity, verification, affected, status, fixedAt } = finding;
  const { taxonomy, tags, references, secretReferences, fixHistory, evidence, corroboration } = finding;
  const { summary, impact, remediation, verificationPlan, reproduction } = finding;
  const texts = { tags: tags && [...new Set(tags)], taxonomy, references };
  return {
    id,
    title,
    category,
    severity,
    verification,
    status,
    fixedAt,
    affected,
    summary,
    impact,
    evidence: kept.slice(0, evidence.length),
    corroboration: corroboration && kept.slice(evidence.length),
    reproduction,
    remediation,
    verificationPlan,
    ...texts,
    secretReferences,
    fixHistory,
  };
}
