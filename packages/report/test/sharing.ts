/** Policies and projections for tests. */
import type { ReportProjection, SharePolicy } from '@svc/contract';
import type { CanonicalReport } from '../src/model/canonical.ts';
import { projectReport, type ProjectionViewer } from '../src/projection/projection.ts';

export const everything: SharePolicy = {
  version: 1,
  sections: { mode: 'allow_all' },
  findings: { mode: 'allow_all' },
  fields: { evidence: true, code: true, reproduction: true, remediation: true, metadata: true },
};

export const viewer: ProjectionViewer = {
  reportId: `rep_${'0'.repeat(26)}`,
  projectedFor: { principalType: 'email', label: 'Ada' },
};

const pseudonymOf = (fingerprint: string) => `${fingerprint.slice(0, 4)}${'0'.repeat(60)}`;

export function projected(
  report: CanonicalReport,
  policy: SharePolicy,
  projectNames: readonly string[] = [],
): ReportProjection {
  return projectReport(report, viewer, { policy, projectNames, pseudonymOf });
}
