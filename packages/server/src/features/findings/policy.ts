/** What a project knows of its findings, and what becomes of that and of a report when one has a finding again. */
import { severities, type FindingStatus, type Severity, type SeverityCounts } from '@svc/contract';
import { isCarried, isUnsettled, type FindingMark } from '@svc/report';

const DAY_MS = 86_400_000;
/** Longer than any report is kept, so that what two reports have in common outlives the first. */
const KNOWN_FOR_MS = 400 * DAY_MS;

/** What a project knows of a finding. */
export interface Known {
  readonly firstSeenAt: number;
  /** To the day, so that a project that is scanned again and again writes little. */
  readonly lastSeenAt: number;
  readonly status: FindingStatus;
  readonly severity: Severity;
  readonly statusAt: number;
}

/** A finding of a new report, with what is known of it. */
export function followed(mark: FindingMark, known: Known | undefined): FindingMark {
  if (!known) return mark;
  const isDated = mark.firstSeenAt === null || known.firstSeenAt < mark.firstSeenAt;
  const carried = isCarried(known, mark);
  return {
    ...mark,
    firstSeenAt: isDated ? known.firstSeenAt : mark.firstSeenAt,
    status: carried ? known.status : mark.status,
    dated: isDated,
    carried,
    reopened: known.status === 'fixed_verified' && mark.status === 'open',
  };
}

/** True when anything is to be told otherwise than the report does. */
export function isAmended({ dated, carried, reopened }: FindingMark): boolean {
  return dated || carried || reopened;
}

/**
 * What is known of a finding once a report has it.
 * @param marks followed: all of the report that are of this finding. The most severe speaks for it, and of equals the first.
 */
export function knownAfter(
  marks: readonly [FindingMark, ...FindingMark[]],
  known: Known | undefined,
  now: number,
): Known {
  const told = marks.flatMap(({ firstSeenAt }) =>
    firstSeenAt === null || firstSeenAt > now ? [] : firstSeenAt,
  );
  return {
    firstSeenAt: Math.min(now, known?.firstSeenAt ?? now, ...told),
    lastSeenAt: Math.max(known?.lastSeenAt ?? 0, toTheDay(now)),
    ...decidedAfter(worstOf(marks), known, now),
  };
}

function decidedAfter({ carried, status, severity }: FindingMark, known: Known | undefined, now: number) {
  // The decision was about what it was then.
  if (known && carried) return { status: known.status, severity: known.severity, statusAt: known.statusAt };
  return { status, severity, statusAt: known?.status === status ? known.statusAt : now };
}

function worstOf([first, ...others]: readonly [FindingMark, ...FindingMark[]]): FindingMark {
  const rank = ({ severity }: FindingMark) => severities.indexOf(severity);
  return others.reduce((worst, mark) => (rank(mark) < rank(worst) ? mark : worst), first);
}

/** What nobody has seen since then is forgotten. */
export function forgottenBefore(now: number): number {
  return toTheDay(now - KNOWN_FOR_MS);
}

export function toTheDay(ms: number): number {
  return ms - (ms % DAY_MS);
}

/** Findings that are neither mended nor set aside. */
export function openCounts(marks: readonly FindingMark[]): SeverityCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { status, severity } of marks) {
    if (isUnsettled(status)) counts[severity] += 1;
  }
  return counts;
}

/** After one finding was moved. */
export function openCountsAfter(
  counts: SeverityCounts,
  severity: Severity,
  move: { readonly from: FindingStatus; readonly to: FindingStatus },
): SeverityCounts {
  const change = Number(isUnsettled(move.to)) - Number(isUnsettled(move.from));
  return { ...counts, [severity]: counts[severity] + change };
}

/** How often the findings of one report may be moved: ten thousand of them, each through everything there is, and again. */
export const MOVES_MAX = 100_000;
