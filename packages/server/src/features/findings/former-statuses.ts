/** What findings were before the decisions of a call, in the reports and in the project. */
import { isSetAside, type FindingStatus, type Severity } from '@svc/contract';
import { hasRisen, identityKey } from '@svc/report';
import type { DecisionRow } from './decisions-store.ts';
import type { OpenedDecision } from './opened-decision.ts';
import { decisionAfter, type Subject } from './subjects.ts';

/** A former status, and where a decision gives it back. */
export interface Former {
  readonly identity: Uint8Array;
  readonly reportId: string;
  readonly findingId: string;
  readonly status: FindingStatus;
  readonly severity: Severity;
  /** The number of the decision that gave this status; null when none did. */
  readonly decision: number | null;
}

export interface Formers {
  /** Each different one once, those of the project last. */
  readonly all: readonly Former[];
  readonly bySubject: ReadonlyMap<Subject, Former>;
  /** Those of the project, by `identityKey`. */
  readonly inProject: ReadonlyMap<string, Former>;
}

/** @param undone the decisions of one call */
export function formersOf(
  { target, subjects, newest }: Pick<OpenedDecision, 'target' | 'subjects' | 'newest'>,
  undone: readonly DecisionRow[],
): Formers {
  const byFinding = new Map(undone.map((decision) => [decision.findingId, decision]));
  const numbers = new Set(undone.map(({ number }) => number));
  const different = new Map<string, Former>();
  const keyOf = (former: Former) =>
    [identityKey(former.identity), former.status, former.decision ?? ''].join(' ');
  const add = (former: Former): Former => {
    const key = keyOf(former);
    different.delete(key);
    different.set(key, former);
    return former;
  };

  const inReports = new Map<Subject, Former>();
  const inProject = new Map<string, Former>();
  const byIdentity = new Map<string, DecisionRow>();
  for (const subject of subjects) {
    const decision = byFinding.get(subject.mark.id);
    const former = decision && formerIn(subject, target.id, decision.identity, numbers);
    if (!former) continue;
    inReports.set(subject, add(former));
    const key = identityKey(subject.mark.identity);
    if (byIdentity.has(key)) continue;
    byIdentity.set(key, decision);
    inProject.set(identityKey(decision.identity), formerInProject(decision, former));
  }
  for (const newer of newest) {
    for (const subject of newer.subjects) {
      const decision = byIdentity.get(identityKey(subject.mark.identity));
      const key = decision && identityKey(decision.identity);
      const known = key && inProject.get(key);
      if (!decision || !known) continue;
      const own = formerIn(subject, newer.target.id, decision.identity, numbers);
      inReports.set(subject, add(own ?? formerSince(known, subject)));
      if (!own && newer.target.isCounted) inProject.set(key, formerSince(known, subject));
    }
  }
  for (const former of inProject.values()) add(former);
  const only = (former: Former) => different.get(keyOf(former)) ?? former;
  return {
    all: [...different.values()],
    bySubject: new Map([...inReports].map(([subject, former]) => [subject, only(former)])),
    inProject: new Map([...inProject].map(([key, former]) => [key, only(former)])),
  };
}

/** What a finding was in a report before its first decision among these. */
function formerIn(
  subject: Subject,
  reportId: string,
  identity: Uint8Array,
  numbers: ReadonlySet<number>,
): Former | null {
  const { mark, moves } = subject;
  const at = moves.findIndex(({ decision }) => numbers.has(decision));
  const [undone] = moves.slice(at, at + 1);
  if (at === -1 || !undone) return null;
  const { findingId, fromStatus: status } = undone;
  const decision = decisionAfter(subject, moves.slice(0, at));
  return { identity, reportId, findingId, status, severity: mark.severity, decision };
}

/** @param inReport for a finding that the project did not know */
function formerInProject(
  { identity, reportId, findingId, formerStatus, formerSeverity, formerDecision }: DecisionRow,
  inReport: Former,
): Former {
  if (formerStatus === null || formerSeverity === null) return inReport;
  const former = { status: formerStatus, severity: formerSeverity, decision: formerDecision };
  return { identity, reportId, findingId, ...former };
}

/** What a finding is in a report that came after the decision: one that is seen again, or has risen, is open. */
function formerSince(former: Former, { mark }: Subject): Former {
  const isOpen = former.status === 'fixed_verified' || (isSetAside(former.status) && hasRisen(former, mark));
  return isOpen ? { ...former, status: 'open', severity: mark.severity, decision: null } : former;
}
