/** A finding as a result: what it says, where it is, what shows it, and what was decided about it. */
import type { ProjectedEvidence, ProjectedFinding, Severity, Verification } from '@svc/contract';
import type { Location, LogicalLocation, Result, Suppression } from 'sarif';
import { fingerprintOf } from '../fingerprint.ts';
import { OWN_FINGERPRINT } from '../sarif-own.ts';
import {
  evidencePlace,
  fileUri,
  linesOf,
  physicalLocation,
  regionOf,
  ROOT_URI,
  type Lines,
} from './sarif-places.ts';
import { levels } from './sarif-rules.ts';
import { messageOf, plain, type ToldEvidence } from './sarif-texts.ts';

/** The name of what stands for the fingerprint where the projection holds none. */
const CONTENT_KEY = 'svcContent/v1';

const severityRanks: Readonly<Record<Severity, number>> = {
  critical: 95,
  high: 80,
  medium: 55,
  low: 25,
  info: 5,
};
/** What is sure comes before what is not, within one severity. */
const verificationRanks: Readonly<Record<Verification, number>> = {
  verified: 4,
  strong_evidence: 2,
  needs_review: 0,
};

/** From 0 to 100; the most urgent has the highest. */
export function rankOf({ severity, verification }: ProjectedFinding): number {
  return severityRanks[severity] + verificationRanks[verification];
}

const justifications = {
  accepted_risk: 'The risk is accepted.',
  false_positive: 'It is a false positive.',
} as const;

export function suppressionsOf({ status }: ProjectedFinding): Suppression[] {
  if (status !== 'accepted_risk' && status !== 'false_positive') return [];
  return [{ kind: 'external', status: 'accepted', justification: justifications[status] }];
}

/** Which rule a result is of. */
export interface RuleReference {
  readonly ruleId: string;
  readonly ruleIndex: number;
}

/** @param detectedAt when it was first seen, where the finding does not say so itself. */
export function resultOf(finding: ProjectedFinding, rule: RuleReference, detectedAt?: string): Result {
  const { affected, evidence, corroboration = [], firstSeenAt = detectedAt } = finding;
  const own = ownPlace(finding);
  const { location, told, related } = placedEvidence([...evidence, ...corroboration], own);
  return {
    ruleId: rule.ruleId,
    ruleIndex: rule.ruleIndex,
    level: levels[finding.severity],
    message: { text: messageOf(finding, told) },
    locations: [{ ...location, logicalLocations: logicalLocations(affected, own.isFile) }],
    ...(related.length > 0 && { relatedLocations: related }),
    partialFingerprints: partialFingerprints(finding),
    rank: rankOf(finding),
    ...(firstSeenAt !== undefined && {
      provenance: { firstDetectionTimeUtc: new Date(firstSeenAt).toISOString() },
    }),
    properties: propertiesOf(finding),
  };
}

interface OwnPlace {
  readonly uri: string;
  readonly isFile: boolean;
  readonly lines: Lines | undefined;
}

function ownPlace({ affected: { file, lineStart, lineEnd } }: ProjectedFinding): OwnPlace {
  const uri = fileUri(file);
  return {
    uri: uri ?? ROOT_URI,
    isFile: uri !== undefined,
    lines: uri === undefined ? undefined : linesOf(lineStart, lineEnd),
  };
}

/**
 * The evidence in order. What quotes the finding's own lines is quoted there; what is in another file or line becomes a
 * related location, to which the message leads; of what is in no file the message tells all.
 */
function placedEvidence(evidence: readonly ProjectedEvidence[], own: OwnPlace) {
  const told: ToldEvidence[] = [];
  const related: Location[] = [];
  let quoted: string | undefined;
  for (const { kind, description, snippet, location: place, redacted } of evidence) {
    const found = evidencePlace(place);
    const isOwn = found !== undefined && found.uri === own.uri && found.lines?.start === own.lines?.start;
    if (isOwn && quoted === undefined && snippet !== undefined && found.lines !== undefined) {
      quoted = snippet.toWellFormed();
      told.push({ description });
    } else if (found === undefined) {
      told.push({
        description,
        ...(place !== undefined && { place }),
        ...(snippet !== undefined && { snippet }),
      });
    } else {
      const id = related.length + 1;
      const isQuoted = found.lines !== undefined;
      related.push({
        id,
        physicalLocation: physicalLocation(
          found.uri,
          found.lines && regionOf(found.lines, snippet?.toWellFormed()),
        ),
        message: { text: plain(description.trim() === '' ? kind : description) },
        properties: { kind, ...(redacted !== undefined && { redacted }) },
      });
      told.push({
        description,
        place: place ?? found.uri,
        target: id,
        ...(!isQuoted && snippet !== undefined && { snippet }),
      });
    }
  }
  const region = regionOf(own.lines ?? { start: 1, end: 1 }, quoted);
  return { location: { physicalLocation: physicalLocation(own.uri, region) }, told, related };
}

/** What the finding is in besides a file: the component, and for what is in no file where else it is. */
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

/** Without a fingerprint, that of what the finding says it is about: it stays while lines and other findings change. */
function partialFingerprints({ fingerprint, category, affected, title }: ProjectedFinding) {
  if (fingerprint !== undefined) return { [OWN_FINGERPRINT]: fingerprint };
  const rootCause = ['content', affected.component, title];
  return { [CONTENT_KEY]: fingerprintOf({ category, affected, rootCause }) };
}

/** What SARIF has no place for; also what makes our own import lose nothing. What is undefined is not written. */
function propertiesOf(finding: ProjectedFinding): Record<string, unknown> {
  const { id, title, category, severity, verification, affected, status, fixedAt } = finding;
  const { taxonomy, tags, references, secretReferences, fixHistory } = finding;
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
    ...texts,
    secretReferences,
    fixHistory,
  };
}
