/** What findings were before the decisions of a call, in the reports and in the project. */
import { isSetAside, type FindingStatus, type Severity } from '@svc/contract';
import { hasRisen, identityKey } from '@svc/report';
import type { DecisionRow } from './decisions-store.ts';
import type { OpenedDecision } from './opened-decision.ts';
import { decisionAfter, type Subject } from './subjects.ts';

/** A previous status, and where a decision gives it back. */
export interface PreviousStatus {
  readonly identity: Uint8Array;
  readonly reportId: string;
  readonly findingId: string;
  readonly status: FindingStatus;
  readonly severity: Severity;
  /** The number of the decision that gave this status; null when none did. */
  readonly decision: number | null;
}

export interface PreviousStatuses {
  /** Each different one once, those of the project last. */
  readonly all: readonly PreviousStatus[];
  readonly bySubject: ReadonlyMap<Subject, PreviousStatus>;
  /** Those of the project, by `identityKey`. */
  readonly inProject: ReadonlyMap<string, PreviousStatus>;
}

/** @param undone the decisions of one call */
export function previousStatusesOf(
  { target, subjects, newest }: Pick<OpenedDecision, 'target' | 'subjects' | 'newest'>,
  undone: readonly DecisionRow[],
): PreviousStatuses {
  const byFinding = new Map(undone.map((decision) => [decision.findingId, decision]));
  const numbers = new Set(undone.map(({ number }) => number));
  const different = new Map<string, PreviousStatus>();
  const keyOf = (previous: PreviousStatus) =>
    [identityKey(previous.identity), previous.status, previous.decision ?? ''].join(' ');
  const add = (previous: PreviousStatus): PreviousStatus => {
    const key = keyOf(previous);
    different.delete(key);
    different.set(key, previous);
    return previous;
  };

  const inReports = new Map<Subject, PreviousStatus>();
  const inProject = new Map<string, PreviousStatus>();
  const byIdentity = new Map<string, DecisionRow>();
  for (const subject of subjects) {
    const decision = byFinding.get(subject.snapshot.id);
    const previous = decision && previousIn(subject, target.id, decision.identity, numbers);
    if (!previous) continue;
    inReports.set(subject, add(previous));
    byIdentity.set(identityKey(subject.snapshot.identity), decision);
    inProject.set(identityKey(decision.identity), previousInProject(decision, previous));
  }
  for (const newer of newest) {
    for (const subject of newer.subjects) {
      const decision = byIdentity.get(identityKey(subject.snapshot.identity));
      const key = decision && identityKey(decision.identity);
      const known = key && inProject.get(key);
      if (!decision || !known) continue;
      const own = previousIn(subject, newer.target.id, decision.identity, numbers);
      inReports.set(subject, add(own ?? previousSince(known, subject)));
      if (!own && newer.target.isCounted) inProject.set(key, previousSince(known, subject));
    }
  }
  for (const previous of inProject.values()) add(previous);
  const only = (previous: PreviousStatus) => different.get(keyOf(previous)) ?? previous;
  return {
    all: [...different.values()],
    bySubject: new Map([...inReports].map(([subject, previous]) => [subject, only(previous)])),
    inProject: new Map([...inProject].map(([key, previous]) => [key, only(previous)])),
  };
}

/** What a finding was in a report before the decision with one of these numbers. */
function previousIn(
  subject: Subject,
  reportId: string,
  identity: Uint8Array,
  numbers: ReadonlySet<number>,
): PreviousStatus | null {
  const { snapshot, moves } = subject;
  const at = moves.findIndex(({ decision }) => numbers.has(decision));
  const [undone] = moves.slice(at, at + 1);
  if (at === -1 || !undone) return null;
  const { findingId, fromStatus: status } = undone;
  const decision = decisionAfter(subject, moves.slice(0, at));
  return { identity, reportId, findingId, status, severity: snapshot.severity, decision };
}

/** @param inReport for a finding that the project did not know */
function previousInProject(
  { identity, reportId, findingId, previousStatus, previousSeverity, previousDecision }: DecisionRow,
  inReport: PreviousStatus,
): PreviousStatus {
  if (previousStatus === null || previousSeverity === null) return inReport;
  const previous = { status: previousStatus, severity: previousSeverity, decision: previousDecision };
  return { identity, reportId, findingId, ...previous };
}

/** What a finding is in a report that came after the decision: one that is seen again, or has risen, is open. */
function previousSince(previous: PreviousStatus, { snapshot }: Subject): PreviousStatus {
  const isOpen =
    previous.status === 'fixed_verified' || (isSetAside(previous.status) && hasRisen(previous, snapshot));
  return isOpen ? { ...previous, status: 'open', severity: snapshot.severity, decision: null } : previous;
}
