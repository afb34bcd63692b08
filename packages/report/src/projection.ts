/**
 * What a viewer gets of a report, built up key by key from what they may see: a field that is added to reports later is
 * in nobody's projection until it is named here.
 */
import type { ReportProjection, SharePolicy } from '@svc/contract';
import type { CanonicalReport } from './canonical.ts';

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
