/** What a project knows about its findings, and how a report with one of them uses and updates it. */
import { isSetAside, type FindingStatus, type Severity, type SeverityCounts } from '@svc/contract';
import {
  hasLapsed,
  hasRisen,
  isCarried,
  isOutstanding,
  type FindingFacts,
  type FindingSnapshot,
} from '@svc/report';
import { ended, earlierIn, packedEarlier, type EarlierIdentity } from './earlier-identities-policy.ts';

const DAY_MS = 86_400_000;
/** Longer than the retention of the default plans, so that knowledge about a finding outlives the reports with it. */
const KNOWN_FOR_MS = 400 * DAY_MS;

/** The status of a finding in its project, and where it is from. */
export interface KnownStatus {
  readonly status: FindingStatus;
  /** The severity when it got that status. */
  readonly severity: Severity;
  readonly statusAt: number;
  /** The number of the decision in the project; null when a report gave the status. */
  readonly decision: number | null;
  /** When that decision lapses. */
  readonly until: number | null;
}

/** Whether a finding is present in its project. */
export interface Presence {
  readonly present: 0 | 1;
  readonly isOpen: 0 | 1;
  readonly isWeak: 0 | 1;
  readonly isHeld: 0 | 1;
  readonly presentFrom: number | null;
  readonly presentSeverity: Severity | null;
  readonly tool: Uint8Array | null;
  readonly areas: Uint8Array | null;
  /** The earlier identities, packed. `earlierOf` ends those of a finding that is not present. */
  readonly earlierIdentities: Uint8Array | null;
}

/** What a project knows about a finding. */
export interface Known extends KnownStatus, Presence {
  readonly firstSeenAt: number;
  /** Rounded to the day, so that frequent scans write little. */
  readonly lastSeenAt: number;
}

export const absent: Presence = {
  present: 0,
  isOpen: 0,
  isWeak: 0,
  isHeld: 0,
  presentFrom: null,
  presentSeverity: null,
  tool: null,
  areas: null,
  earlierIdentities: null,
};

/** True when a person decided the status. */
export function isDecided({ decision }: KnownStatus): boolean {
  return decision !== null;
}

/** The status by the clock: a lapsed decision no longer counts. */
export function statusNow(known: KnownStatus, now: number): FindingStatus {
  return hasLapsed(known, now) ? 'open' : known.status;
}

/** The finding with `isOpen` as it is now. */
export function judged(known: Known, now: number): Known {
  return { ...known, isOpen: known.present === 1 && isOutstanding(statusNow(known, now)) ? 1 : 0 };
}

/** A finding of a new report, completed with what is known about it. */
export function followed(snapshot: FindingSnapshot, known: Known | undefined, now: number): FindingSnapshot {
  if (!known) return snapshot;
  // Two different findings may have this identity, so a decision about one does not apply to the other.
  if (snapshot.weak) return snapshot;
  const isDated = snapshot.firstSeenAt === null || known.firstSeenAt < snapshot.firstSeenAt;
  const carried = isCarried(known, snapshot, now);
  return {
    ...snapshot,
    firstSeenAt: isDated ? known.firstSeenAt : snapshot.firstSeenAt,
    status: carried ? known.status : snapshot.status,
    dated: isDated,
    carried,
    reopened: known.status === 'fixed_verified' && snapshot.status === 'open',
  };
}

/** True when the finding differs from the report body. */
export function isOverlaid({ dated, carried, reopened }: FindingSnapshot): boolean {
  return dated || carried || reopened;
}

/** A finding of a report, as `followed` returns it. */
export interface FollowedFinding {
  readonly snapshot: FindingSnapshot;
  readonly facts: Pick<FindingFacts, 'tool' | 'areas'>;
}

/**
 * What is known about a finding after a report with it.
 * @param report `order` is its position in the order in which the project counts reports.
 */
export function knownAfter(
  { snapshot, facts: { tool, areas } }: FollowedFinding,
  known: Known | undefined,
  { now, order }: { readonly now: number; readonly order: number },
): Known {
  const { firstSeenAt } = snapshot;
  const given = firstSeenAt === null || firstSeenAt > now ? now : firstSeenAt;
  const wasPresent = known?.present === 1;
  return judged(
    {
      firstSeenAt: Math.min(now, known?.firstSeenAt ?? now, given),
      lastSeenAt: Math.max(known?.lastSeenAt ?? 0, toTheDay(now)),
      ...statusAfter(snapshot, known, now),
      present: 1,
      isOpen: 0,
      isWeak: snapshot.weak ? 1 : 0,
      isHeld: wasPresent ? known.isHeld : 0,
      presentFrom: wasPresent ? known.presentFrom : order,
      presentSeverity: snapshot.severity,
      tool,
      areas: Buffer.concat(areas),
      earlierIdentities: wasPresent ? known.earlierIdentities : ended(known?.earlierIdentities ?? null),
    },
    now,
  );
}

/** The status of a finding after a report with it, and where that status is from. */
function statusAfter(snapshot: FindingSnapshot, known: KnownStatus | undefined, now: number): KnownStatus {
  const { carried, status, severity } = snapshot;
  const statusAt = known?.status === status && !isDecided(known) ? known.statusAt : now;
  const fresh = { status, severity, statusAt, decision: null, until: null };
  if (!known) return fresh;
  return carried || isKept(known, snapshot, now) ? statusOf(known) : fresh;
}

function statusOf({ status, severity, statusAt, decision, until }: KnownStatus): KnownStatus {
  return { status, severity, statusAt, decision, until };
}

/**
 * The status that a person decided last; if no person decided either, that of the first. Lapsed decisions do not count.
 */
export function laterDecided(first: KnownStatus, other: KnownStatus, now: number): KnownStatus {
  const holds = (known: KnownStatus) => isDecided(known) && statusNow(known, now) === known.status;
  const isLater = holds(other) && (!holds(first) || other.statusAt > first.statusAt);
  return statusOf(isLater ? other : first);
}

/** Whether a person's decision takes precedence over the status in a later report. */
function isKept(known: KnownStatus, snapshot: FindingSnapshot, now: number): boolean {
  if (!isDecided(known) || snapshot.weak || statusNow(known, now) !== known.status) return false;
  if (isSetAside(known.status)) return !hasRisen(known, snapshot);
  return known.status !== 'fixed_verified' && snapshot.status !== 'fixed_verified';
}

/** What is known about a finding, together with what is known about one that turns out to be the same. */
export function joined(one: Known, other: Known, now: number): Known {
  const [first, second] = one.present === 1 ? [one, other] : [other, one];
  return judged(
    {
      ...first,
      ...laterDecided(first, second, now),
      firstSeenAt: Math.min(one.firstSeenAt, other.firstSeenAt),
      lastSeenAt: Math.max(one.lastSeenAt, other.lastSeenAt),
      isHeld: heldOf(one) || heldOf(other),
      earlierIdentities: packedEarlier([...earlierOf(second), ...earlierOf(first)]),
    },
    now,
  );
}

/** The earlier identities. Those of a finding that is not present have ended. */
export function earlierOf({ present, earlierIdentities }: Known): EarlierIdentity[] {
  return earlierIn(present === 1 ? earlierIdentities : ended(earlierIdentities));
}

export function heldOf({ present, isHeld }: Known): 0 | 1 {
  return present === 1 ? isHeld : 0;
}

/** What is known about a finding that is not present any more. */
export function knownWithout(known: Known): Known {
  return { ...known, present: 0, isOpen: 0, isHeld: 0, presentFrom: null };
}

/** A finding that was last seen before this time is deleted, unless it is present. */
export function forgottenBefore(now: number): number {
  return toTheDay(now - KNOWN_FOR_MS);
}

export function toTheDay(ms: number): number {
  return ms - (ms % DAY_MS);
}

export const noCounts: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

/** How many triage decisions one report may have: enough for ten about each of ten thousand findings. */
export const STATUS_CHANGES_MAX = 100_000;
