/**
 * What became known about a report's findings after the upload: when they were first seen, what was decided earlier,
 * and triage decisions since. An overlay holds the steps; the rules of status.ts apply them to a finding.
 */
import type { Finding, FindingStatus } from '@svc/contract';
import type { CanonicalReport } from '../model/canonical.ts';
import { applied, carriedInto, lapsed, reopened, type StatusMove } from '../model/status.ts';

/** What became known about one finding. A missing property leaves the report's value unchanged. */
export interface FindingOverlay {
  readonly firstSeenAt?: string;
  /** The status that was decided in an earlier report. */
  readonly carried?: FindingStatus;
  /** When the finding was seen again after it was verified as fixed. */
  readonly reopenedAt?: string;
  /** Status changes since the upload, oldest first. */
  readonly moves?: readonly StatusMove[];
  /** The last move is the lapse of a decision. Only owners and members may see this. */
  readonly isLapsed?: true;
}

/** The overlays by finding id. */
export type FindingOverlays = Readonly<Record<string, FindingOverlay>>;

export function overlaidReport(report: CanonicalReport, overlays: FindingOverlays): CanonicalReport {
  if (Object.keys(overlays).length === 0) return report;
  return {
    ...report,
    findings: report.findings.map((finding) => {
      const overlay = Object.hasOwn(overlays, finding.id) ? overlays[finding.id] : undefined;
      return overlay ? overlaidFinding(finding, overlay) : finding;
    }),
  };
}

export function overlaidFinding(finding: Finding, overlay: FindingOverlay): Finding {
  const { firstSeenAt, carried, reopenedAt, moves = [] } = overlay;
  let overlaid = firstSeenAt === undefined ? finding : { ...finding, firstSeenAt };
  if (carried !== undefined)
    // A finding that was triaged since is not marked as carried over.
    overlaid = moves.length === 0 ? carriedInto(overlaid, carried) : { ...overlaid, status: carried };
  if (reopenedAt !== undefined) overlaid = reopened(overlaid, reopenedAt);
  for (const move of moves) overlaid = applied(overlaid, move);
  return overlay.isLapsed ? lapsed(overlaid) : overlaid;
}

/** The overlays as a share may show them. */
export function withoutLapses(overlays: FindingOverlays): FindingOverlays {
  if (!Object.values(overlays).some(({ isLapsed }) => isLapsed)) return overlays;
  return Object.fromEntries(
    Object.entries(overlays).map(([id, { isLapsed: _, ...overlay }]) => [id, overlay]),
  );
}
