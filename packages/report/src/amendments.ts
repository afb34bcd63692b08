/**
 * What became known of a report's findings after it was uploaded: since when they are known, what was decided of them
 * before, and what people have done since. It is told as steps, and shown by taking those steps: so a finding is always
 * what the rules of status.ts make of it.
 */
import type { Finding, FindingStatus } from '@svc/contract';
import type { CanonicalReport } from './canonical.ts';
import { carriedInto, moveStatus, reopened, type StatusMove } from './status.ts';

/** Of one finding; what is left out stays as the report has it. */
export interface Amendment {
  readonly firstSeenAt?: string;
  /** The status that was decided in an earlier report. */
  readonly carried?: FindingStatus;
  /** When it was seen again, after it was verified as fixed. */
  readonly reopenedAt?: string;
  /** Oldest first. */
  readonly moves?: readonly StatusMove[];
}

/** By finding id. */
export type Amendments = Readonly<Record<string, Amendment>>;

export function amendedReport(report: CanonicalReport, amendments: Amendments): CanonicalReport {
  if (Object.keys(amendments).length === 0) return report;
  return {
    ...report,
    findings: report.findings.map((finding) => {
      const amendment = Object.hasOwn(amendments, finding.id) ? amendments[finding.id] : undefined;
      return amendment ? amendedFinding(finding, amendment) : finding;
    }),
  };
}

export function amendedFinding(finding: Finding, amendment: Amendment): Finding {
  const { firstSeenAt, carried, reopenedAt, moves = [] } = amendment;
  let amended = firstSeenAt === undefined ? finding : { ...finding, firstSeenAt };
  if (carried !== undefined)
    // What somebody has taken up since is not marked as carried any more.
    amended = moves.length === 0 ? carriedInto(amended, carried) : { ...amended, status: carried };
  if (reopenedAt !== undefined) amended = reopened(amended, reopenedAt);
  for (const move of moves) {
    const outcome = moveStatus(amended, move);
    if (outcome.moved) amended = outcome.finding;
  }
  return amended;
}
