/** One finding as a share shows it, built field by field in a fixed order. */
import type {
  Affected,
  Finding,
  FindingEvidence,
  FixHistoryEntry,
  ProjectedEvidence,
  ProjectedFinding,
  SecretReference,
} from '@svc/contract';
import { isIdentityTag, isReservedTag } from '../reading/tags.ts';
import { withoutLocations } from '../text/locations-in-text.ts';
import type { Rewrite } from './projected-text.ts';
import type { FieldsLetThrough } from './share-policy.ts';

export interface FindingFilter {
  readonly fields: FieldsLetThrough;
  readonly anonymize: boolean;
  /** Whether the scan's tools are shown. */
  readonly tools: boolean;
  readonly rewrite: Rewrite;
  readonly pseudonymOf: (fingerprint: string) => string;
}

export function projectedFinding(finding: Finding, id: string, given: FindingFilter): ProjectedFinding {
  const { fields } = given;
  const rewrite: Rewrite = fields.code ? given.rewrite : (text) => given.rewrite(withoutLocations(text));
  const shown = { ...given, rewrite };
  const projected: ProjectedFinding = {
    id,
    title: rewrite(finding.title),
    category: rewrite(finding.category),
    severity: finding.severity,
    verification: finding.verification,
    summary: rewrite(finding.summary),
    impact: rewrite(finding.impact),
    affected: projectedAffected(finding.affected, shown),
    evidence: fields.evidence ? projectedEvidence(finding.evidence, shown) : [],
    remediation: fields.remediation ? rewrite(finding.remediation) : '',
    verificationPlan: fields.remediation ? rewrite(finding.verificationPlan) : '',
  };
  if (fields.metadata && finding.taxonomy) projected.taxonomy = finding.taxonomy.map(rewrite);
  if (fields.evidence && finding.corroboration)
    projected.corroboration = projectedEvidence(finding.corroboration, shown);
  if (fields.reproduction && finding.reproduction !== undefined)
    projected.reproduction = rewrite(finding.reproduction);
  if (fields.metadata) {
    if (finding.references) projected.references = finding.references.map(rewrite);
    const tags = finding.tags && shownTags(finding.tags, shown);
    if (tags) projected.tags = tags.map(rewrite);
    if (!shown.anonymize) addFingerprints(projected, finding, shown);
  }
  if (finding.status !== undefined) projected.status = finding.status;
  if (fields.metadata) addHistory(projected, finding, shown);
  return projected;
}

/**
 * Hashes of the identity are never shown: a share has its own pseudonyms. The other reserved tags are shown only with
 * the scan's tools, and never in an anonymized share. An empty list is omitted, so that it does not reveal hidden tags.
 */
function shownTags(
  tags: readonly string[],
  { anonymize, tools }: FindingFilter,
): readonly string[] | undefined {
  const isHidden = anonymize || !tools ? isReservedTag : isIdentityTag;
  const left = tags.filter((tag) => !isHidden(tag));
  return left.length === 0 ? undefined : left;
}

function projectedAffected(affected: Affected, { fields, anonymize, rewrite }: FindingFilter) {
  const projected: ProjectedFinding['affected'] = { component: rewrite(affected.component) };
  if (fields.code) {
    if (affected.file !== undefined) projected.file = rewrite(affected.file);
    if (affected.lineStart !== undefined) projected.lineStart = affected.lineStart;
    if (affected.lineEnd !== undefined) projected.lineEnd = affected.lineEnd;
  }
  if (affected.route !== undefined) projected.route = rewrite(affected.route);
  if (!anonymize && affected.origin !== undefined) projected.origin = rewrite(affected.origin);
  return projected;
}

function projectedEvidence(evidence: readonly FindingEvidence[], { fields, rewrite }: FindingFilter) {
  return evidence.map(({ kind, description, snippet, location, redacted }) => {
    const projected: ProjectedEvidence = { kind, description: rewrite(description) };
    if (fields.code) {
      if (snippet !== undefined) projected.snippet = rewrite(snippet);
      if (location !== undefined) projected.location = rewrite(location);
    }
    if (redacted !== undefined) projected.redacted = redacted;
    return projected;
  });
}

/**
 * Adds pseudonyms for the fingerprints of the finding and its secrets. The fingerprints themselves would reveal, to a
 * viewer with two share links or with a guess, that two findings or two secrets are the same.
 */
function addFingerprints(projected: ProjectedFinding, finding: Finding, shown: FindingFilter): void {
  if (finding.fingerprint !== undefined) projected.fingerprint = shown.pseudonymOf(finding.fingerprint);
  if (finding.secretReferences)
    projected.secretReferences = finding.secretReferences.map((secret) => projectedSecret(secret, shown));
}

function projectedSecret(secret: SecretReference, { fields, rewrite, pseudonymOf }: FindingFilter) {
  const projected: NonNullable<ProjectedFinding['secretReferences']>[number] = {
    label: rewrite(secret.label),
    kind: rewrite(secret.kind),
    fingerprint: pseudonymOf(secret.fingerprint),
  };
  if (fields.code && secret.location !== undefined) projected.location = rewrite(secret.location);
  return projected;
}

function addHistory(projected: ProjectedFinding, finding: Finding, shown: FindingFilter): void {
  if (finding.fixedAt !== undefined) projected.fixedAt = finding.fixedAt;
  if (finding.firstSeenAt !== undefined) projected.firstSeenAt = finding.firstSeenAt;
  if (finding.fixHistory)
    projected.fixHistory = finding.fixHistory.map((entry) => projectedEntry(entry, shown));
}

function projectedEntry(
  { at, action, verified, changedFiles, note }: FixHistoryEntry,
  { fields, rewrite }: FindingFilter,
) {
  const projected: NonNullable<ProjectedFinding['fixHistory']>[number] = { at, action, verified };
  if (fields.code && changedFiles) projected.changedFiles = changedFiles.map(rewrite);
  if (note !== undefined) projected.note = rewrite(note);
  return projected;
}
