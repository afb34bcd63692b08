/** What a project knows of its findings, and how a report with the same finding uses and updates it. */
import { severities, type FindingStatus, type Severity, type SeverityCounts } from '@svc/contract';
import { isOutstanding, statusCarriedOver, type FindingSnapshot } from '@svc/report';

const DAY_MS = 86_400_000;
/** Longer than the retention of any report, so that what two reports share outlives the first. */
const KNOWN_FOR_MS = 400 * DAY_MS;

/** What a project knows of a finding. */
export interface Known {
  readonly firstSeenAt: number;
  /** Rounded to the day, so that frequent scans write little. */
  readonly lastSeenAt: number;
  readonly status: FindingStatus;
  readonly severity: Severity;
  readonly statusAt: number;
}

/** A finding of a new report, completed with what is known of it. */
export function followed(mark: FindingSnapshot, known: Known | undefined): FindingSnapshot {
  if (!known) return mark;
  // Two different findings may have this identity, so a decision about one does not apply to the other.
  if (mark.weak) return mark;
  const isDated = mark.firstSeenAt === null || known.firstSeenAt < mark.firstSeenAt;
  const status = statusCarriedOver(known, { ...mark, isWeak: mark.weak });
  return {
    ...mark,
    firstSeenAt: isDated ? known.firstSeenAt : mark.firstSeenAt,
    status: status ?? mark.status,
    dated: isDated,
    carried: status !== undefined,
    reopened: known.status === 'fixed_verified' && mark.status === 'open',
  };
}

/** True when the finding differs from the report body. */
export function isOverlaid({ dated, carried, reopened }: FindingSnapshot): boolean {
  return dated || carried || reopened;
}

/**
 * What is known of a finding after a report with it.
 * @param marks all findings of the report with this identity, after `followed`. The most severe one counts, and of equals
 * the first.
 */
export function knownAfter(
  marks: readonly [FindingSnapshot, ...FindingSnapshot[]],
  known: Known | undefined,
  now: number,
): Known {
  const given = marks.flatMap(({ firstSeenAt }) =>
    firstSeenAt === null || firstSeenAt > now ? [] : firstSeenAt,
  );
  const [first, ...others] = marks;
  const rank = (mark: FindingSnapshot) => severities.indexOf(mark.severity);
  const worst = others.reduce((one, other) => (rank(other) < rank(one) ? other : one), first);
  const { carried, status, severity } = worst;
  return {
    firstSeenAt: Math.min(now, known?.firstSeenAt ?? now, ...given),
    lastSeenAt: Math.max(known?.lastSeenAt ?? 0, toTheDay(now)),
    // Keeps the severity at the time of the decision, because the decision was about that one.
    ...(known && carried
      ? { status: known.status, severity: known.severity, statusAt: known.statusAt }
      : { status, severity, statusAt: known?.status === status ? known.statusAt : now }),
  };
}

/** What was last seen before this time is deleted. */
export function forgottenBefore(now: number): number {
  return toTheDay(now - KNOWN_FOR_MS);
}

export function toTheDay(ms: number): number {
  return ms - (ms % DAY_MS);
}

/** Counts findings that are neither fixed nor set aside. */
export function openCounts(marks: readonly FindingSnapshot[]): SeverityCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { status, severity } of marks) {
    if (isOutstanding(status)) counts[severity] += 1;
  }
  return counts;
}

/** The counts after a triage decision about one finding. */
export function openCountsAfter(
  counts: SeverityCounts,
  severity: Severity,
  move: { readonly from: FindingStatus; readonly to: FindingStatus },
): SeverityCounts {
  const change = Number(isOutstanding(move.to)) - Number(isOutstanding(move.from));
  return { ...counts, [severity]: counts[severity] + change };
}

/** How many triage decisions one report may have. Enough for ten thousand findings to pass through every status twice. */
export const MOVES_MAX = 100_000;
