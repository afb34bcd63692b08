/**
 * The canonical report: the one form in which reports are uploaded and stored. Its schema is closed at every level.
 * What a schema cannot express, such as counts that agree and unique ids, is checked separately.
 */
import {
  Authorization,
  closed,
  CoverageArea,
  Finding,
  limits,
  LocalReportId,
  REPORT_SCHEMA_VERSION,
  ReportSummary,
  Scan,
  ScannedProject,
  severities,
  text,
  time,
  verifications,
  type Issue,
} from '@svc/contract';
import type { RecordedFinding } from '../reading/recorded-finding.ts';
import { wrongTags } from './tag-rules.ts';
import Type, { type Static } from 'typebox';

const { report: bounds } = limits;

const fields = {
  schemaVersion: Type.Literal(REPORT_SCHEMA_VERSION),
  localReportId: LocalReportId,
  generatedAt: time,
  methodologyVersion: text(0, 40),
  project: ScannedProject,
  scan: Scan,
  authorization: Authorization,
  summary: ReportSummary,
  findings: Type.Array(Finding, { maxItems: bounds.findingsMax }),
  coverage: Type.Array(text(0, bounds.coverageLengthMax), { maxItems: bounds.coverageMax }),
  coverageAreas: Type.Array(CoverageArea, { maxItems: bounds.coverageAreasMax }),
  limitations: Type.Array(text(0, bounds.limitationLengthMax), { maxItems: bounds.limitationsMax }),
  redactionNotice: Type.Optional(text(0, 2000)),
};

export const CanonicalReport = closed(fields, { title: 'CanonicalReport' });
export type CanonicalReport = Static<typeof CanonicalReport>;

/** A report whose findings are checked one by one, against `Finding`. */
export const ReportFrame = closed({
  ...fields,
  findings: Type.Array(Type.Unknown(), { maxItems: bounds.findingsMax }),
});
export type ReportFrame = Static<typeof ReportFrame>;

/** A report without the texts of its findings. */
export type RecordedReport = Omit<CanonicalReport, 'findings'> & {
  readonly findings: readonly RecordedFinding[];
};

/** Counts that only the scan knows; a summary may have them in addition to the counts of its findings. */
export type CountsOfScan = Pick<ReportSummary, 'candidateCount' | 'duplicateCount' | 'fixedCount'>;

/** The summary of a report's findings. */
export function summarize(
  findings: readonly Pick<Finding, 'severity' | 'verification'>[],
  countsOfScan: CountsOfScan = {},
): ReportSummary {
  const severityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  const verificationCounts = { verified: 0, strong_evidence: 0, needs_review: 0 };
  for (const { severity, verification } of findings) {
    severityCounts[severity] += 1;
    verificationCounts[verification] += 1;
  }
  return { findingCount: findings.length, severityCounts, verificationCounts, ...countsOfScan };
}

interface Consistent extends Pick<RecordedReport, 'scan' | 'summary'> {
  readonly findings: readonly Pick<
    RecordedFinding,
    'id' | 'severity' | 'verification' | 'fingerprint' | 'tags'
  >[];
}

/**
 * What a schema cannot express: each finding has an id and a fingerprint of its own, reserved tags follow their rules,
 * and the summary counts the findings. Returns at most `issuesMax` issues.
 */
export function inconsistencies(report: Consistent): Issue[] {
  const { findings } = report;
  return [
    ...repeated(findings, 'id'),
    ...repeated(findings, 'fingerprint'),
    ...wrongTags(report),
    ...wrongCounts(report),
  ].slice(0, limits.issuesMax);
}

function repeated(findings: Consistent['findings'], name: 'id' | 'fingerprint'): Issue[] {
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const [index, { [name]: value }] of findings.entries()) {
    if (issues.length >= limits.issuesMax) break;
    if (value === undefined) continue;
    if (seen.has(value))
      issues.push({
        path: `/findings/${index}/${name}`,
        message: `repeats the ${name} of an earlier finding`,
        rule: 'duplicate',
      });
    seen.add(value);
  }
  return issues;
}

function wrongCounts({ summary, findings }: Consistent): Issue[] {
  const found = summarize(findings);
  const wrong: string[] = [];
  if (summary.findingCount !== found.findingCount) wrong.push('findingCount');
  for (const severity of severities) {
    if (summary.severityCounts[severity] !== found.severityCounts[severity])
      wrong.push(`severityCounts/${severity}`);
  }
  for (const verification of verifications) {
    if (summary.verificationCounts[verification] !== found.verificationCounts[verification])
      wrong.push(`verificationCounts/${verification}`);
  }
  return wrong.map((name) => ({
    path: `/summary/${name}`,
    message: 'does not agree with the findings',
    rule: 'counts',
  }));
}
