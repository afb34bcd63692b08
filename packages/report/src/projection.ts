/**
 * What a viewer gets of a report, built up key by key from what they may see: a field that is added to reports later is
 * in nobody's projection until it is named here.
 */
import type { ReportProjection } from '@svc/contract';
import type { CanonicalReport } from './canonical.ts';

export interface ProjectedFor {
  /** The service's id of the report. */
  readonly reportId: string;
  readonly projectedFor: ReportProjection['projectedFor'];
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
