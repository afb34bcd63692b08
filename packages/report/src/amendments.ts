/** What became known of a report's findings after it was uploaded: decisions, and since when they are known. */
import { limits, type Finding, type FindingStatus, type FixHistoryEntry } from '@svc/contract';
import type { CanonicalReport } from './canonical.ts';
import { CARRIED_TAG } from './status.ts';

/** Of one finding; what is left out stays as the report has it. */
export interface Amendment {
  readonly status?: FindingStatus;
  /** The status was decided in an earlier report. */
  readonly carried?: boolean;
  readonly fixedAt?: string;
  readonly firstSeenAt?: string;
  /** Follows what the report's own history has. */
  readonly history?: readonly FixHistoryEntry[];
}

/** By finding id. */
export type Amendments = Readonly<Record<string, Amendment>>;

export function amendedReport(report: CanonicalReport, amendments: Amendments): CanonicalReport {
  return {
    ...report,
    findings: report.findings.map((finding) => {
      const amendment = Object.hasOwn(amendments, finding.id) ? amendments[finding.id] : undefined;
      return amendment ? amendedFinding(finding, amendment) : finding;
    }),
  };
}

export function amendedFinding(finding: Finding, amendment: Amendment): Finding {
  const { status, carried, fixedAt, firstSeenAt, history = [] } = amendment;
  const { tags = [], fixHistory = [] } = finding;
  return {
    ...finding,
    ...(status === undefined ? {} : { status }),
    ...(fixedAt === undefined ? {} : { fixedAt }),
    ...(firstSeenAt === undefined ? {} : { firstSeenAt }),
    ...(carried === true && !tags.includes(CARRIED_TAG)
      ? { tags: [...tags.slice(0, limits.finding.tagsMax - 1), CARRIED_TAG] }
      : {}),
    ...(history.length === 0
      ? {}
      : { fixHistory: [...fixHistory, ...history].slice(-limits.finding.fixHistoryMax) }),
  };
}
