/**
 * What a viewer gets of a report, built field by field from what they may see: a new field of reports is in no
 * projection until this file names it.
 *
 * A share's projection depends only on the policy and on what remains of the report under it: two reports that
 * differ only in hidden parts give the same bytes. So keys have a fixed order, regardless of their order in the report.
 */
import { REPORT_SCHEMA_VERSION, type Finding, type ReportProjection, type SharePolicy } from '@svc/contract';
import { termsOf } from './anonymous-terms.ts';
import type { CanonicalReport } from '../model/canonical.ts';
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

export interface ProjectionViewer {
  /** The service's id of the report. */
  readonly reportId: string;
  readonly projectedFor: ReportProjection['projectedFor'];
}

export interface ProjectionPolicy {
  readonly policy: SharePolicy;
  /** The service's names of the project, in addition to the report's. */
  readonly projectNames: readonly string[];
  /** Keyed digest that replaces a fingerprint within this share: 64 hexadecimal characters. */
  readonly pseudonymOf: (fingerprint: string) => string;
}

/**
 * Shown in every share whose policy could leave something out, even if nothing was left out, so that it reveals
 * nothing.
 */
export const REDACTION_NOTICE =
  'The person who shares this report chose what it shows. Parts may be left out or replaced.';

/** The whole report, for its owner and the members of its workspace. */
export function wholeProjection(
  report: CanonicalReport,
  { reportId, projectedFor }: ProjectionViewer,
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

/** The projection of a report without a body. Without a policy, the viewer is its owner or a member. */
export function liveProjection(projectedFor: ProjectionViewer, policy: SharePolicy | null): ReportProjection {
  const { principalType, label } = projectedFor.projectedFor;
  const isLabelled = label !== undefined && policy?.anonymize !== true;
  return {
    id: projectedFor.reportId,
    schemaVersion: REPORT_SCHEMA_VERSION,
    projectedFor: isLabelled ? { principalType, label } : { principalType },
  };
}

/** The report as a share's policy shows it to a viewer. */
export function projectReport(
  report: CanonicalReport,
  projectedFor: ProjectionViewer,
  projectionPolicy: ProjectionPolicy,
): ReportProjection {
  const { policy, pseudonymOf } = projectionPolicy;
  const sections = sectionsOf(policy);
  const letThrough = report.findings.filter(findingsOf(policy));
  // A share that does not list findings also hides their ids and origins in other texts.
  const listed = sections.has('findings') ? letThrough : [];
  const { idOf, rewrite } = textRules(report, listed, projectionPolicy);
  const anonymize = policy.anonymize === true;
  const tools = sections.has('metadata');
  const shown = {
    narrowed: narrows(policy),
    fields: fieldsOf(policy),
    anonymize,
    tools,
    rewrite,
    pseudonymOf,
  };

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

/** How ids and texts are rewritten. */
function textRules(
  report: CanonicalReport,
  listed: readonly Finding[],
  { policy, projectNames }: ProjectionPolicy,
) {
  const terms = policy.anonymize === true ? termsIn(report, listed, projectNames) : undefined;
  // An id cannot be redacted. If one contains the project's name, all findings get new ids.
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

/**
 * The message of a share as its viewers read it. Under `anonymize` it redacts the same names as the projection, so it
 * depends on nothing that the policy hides.
 * @param report null while the scan is running.
 */
export function projectMessage(
  message: string,
  report: CanonicalReport | null,
  { policy, projectNames }: Pick<ProjectionPolicy, 'policy' | 'projectNames'>,
): string {
  if (policy.anonymize !== true) return message;
  if (!report)
    return rewriting({ terms: termSearch(termsOf({ names: projectNames, origins: [] })) })(message);
  const listed = sectionsOf(policy).has('findings') ? report.findings.filter(findingsOf(policy)) : [];
  return rewriting({ terms: termsIn(report, listed, projectNames) })(message);
}
