/**
 * What a viewer gets of a report, built up key by key from what they may see: a field that is added to reports later is
 * in nobody's projection until it is named here.
 *
 * A share's projection depends on the policy and on what remains of the report under it, and on nothing else: two reports
 * that differ only in what is left out are the same bytes. So keys stand in one order, whatever order the report's have.
 */
import { REPORT_SCHEMA_VERSION, type Finding, type ReportProjection, type SharePolicy } from '@svc/contract';
import { termsOf } from './anonymous-terms.ts';
import type { CanonicalReport } from './canonical.ts';
import { projectedFinding } from './projected-finding.ts';
import {
  projectedAreas,
  projectedAuthorization,
  projectedProject,
  projectedScan,
  projectedSummary,
} from './projected-sections.ts';
import { rewriting } from './projected-text.ts';
import { newId, renumbering } from './renumbering.ts';
import { fieldsOf, findingsOf, isAllAllowing, narrows, sectionsOf } from './share-policy.ts';
import { termSearch } from './term-search.ts';

export interface ProjectedFor {
  /** The service's id of the report. */
  readonly reportId: string;
  readonly projectedFor: ReportProjection['projectedFor'];
}

export interface Sharing {
  readonly policy: SharePolicy;
  /** What the service calls the project, besides what the report does. */
  readonly projectNames: readonly string[];
  /** The keyed digest under which a fingerprint is told within this share: 64 hexadecimal characters. */
  readonly pseudonymOf: (fingerprint: string) => string;
}

/** Says the same whether or not there was anything to leave out. */
export const REDACTION_NOTICE =
  'Whoever shares this report chose what of it is shown. Parts of it may be left out or replaced.';

/** The whole report, for its owner and the members of its workspace. */
export function wholeProjection(
  report: CanonicalReport,
  { reportId, projectedFor }: ProjectedFor,
): ReportProjection {
  return {
    id: reportId,
    schemaVersion: report.schemaVersion,
    projectedFor,
    generatedAt: report.generatedAt,
    project: report.project,
    scan: report.scan,
    authorization: report.authorization,
    summary: report.summary,
    findings: report.findings,
    coverage: report.coverage,
    coverageAreas: report.coverageAreas,
    limitations: report.limitations,
    methodologyVersion: report.methodologyVersion,
  };
}

/** Of a report that has no text yet. Without a policy it is its owner or a member who asks. */
export function liveProjection(projectedFor: ProjectedFor, policy: SharePolicy | null): ReportProjection {
  const { principalType, label } = projectedFor.projectedFor;
  const isLabelled = label !== undefined && policy?.anonymize !== true;
  return {
    id: projectedFor.reportId,
    schemaVersion: REPORT_SCHEMA_VERSION,
    projectedFor: isLabelled ? { principalType, label } : { principalType },
  };
}

/** The report as a share's policy lets a viewer see it. */
export function projectReport(
  report: CanonicalReport,
  projectedFor: ProjectedFor,
  sharing: Sharing,
): ReportProjection {
  const { policy, pseudonymOf } = sharing;
  const sections = sectionsOf(policy);
  const letThrough = report.findings.filter(findingsOf(policy));
  // Where the findings are not listed, their ids and origins are left out too, and must not show in other texts.
  const listed = sections.has('findings') ? letThrough : [];
  const { idOf, rewrite } = textRules(report, listed, sharing);
  const anonymize = policy.anonymize === true;
  const shown = { narrowed: narrows(policy), fields: fieldsOf(policy), anonymize, rewrite, pseudonymOf };

  const projection = liveProjection(projectedFor, policy);
  if (sections.has('metadata')) {
    projection.generatedAt = report.generatedAt;
    if (!anonymize) projection.project = projectedProject(report.project, shown);
    projection.scan = projectedScan(report.scan, shown);
  }
  if (sections.has('authorization') && !anonymize)
    projection.authorization = projectedAuthorization(report.authorization, shown);
  if (sections.has('summary')) projection.summary = projectedSummary(report, letThrough, shown);
  if (sections.has('findings'))
    projection.findings = listed.map((finding, index) =>
      projectedFinding(finding, idOf(finding, index), shown),
    );
  if (sections.has('coverage')) {
    projection.coverage = report.coverage.map(rewrite);
    projection.coverageAreas = projectedAreas(report.coverageAreas, shown);
  }
  if (sections.has('limitations')) projection.limitations = report.limitations.map(rewrite);
  if (sections.has('metadata')) projection.methodologyVersion = rewrite(report.methodologyVersion);
  if (!isAllAllowing(policy)) projection.redactionNotice = REDACTION_NOTICE;
  return projection;
}

/** What becomes of ids and texts. */
function textRules(report: CanonicalReport, listed: readonly Finding[], { policy, projectNames }: Sharing) {
  const terms = policy.anonymize === true ? termsIn(report, listed, projectNames) : undefined;
  // An id can not be redacted. Where one bears the project's name, all get new ones.
  const isNamedInId = terms !== undefined && listed.some(({ id }) => terms(id).length > 0);
  if (!narrows(policy) && !isNamedInId)
    return { idOf: ({ id }: Finding) => id, rewrite: rewriting({ terms }) };
  const { mentions } = renumbering(listed.map(({ id }) => id));
  return {
    idOf: (_: Finding, index: number) => newId(index),
    rewrite: rewriting({ mentions, terms }),
  };
}

function termsIn({ project }: CanonicalReport, listed: readonly Finding[], projectNames: readonly string[]) {
  const origins = listed.flatMap(({ affected }) => affected.origin ?? []);
  const names = [project.name, ...projectNames];
  return termSearch(termsOf({ names, repositoryUrl: project.repositoryUrl, origins }));
}
