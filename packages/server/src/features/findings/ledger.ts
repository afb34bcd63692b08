/** Keeps the counts of a project's open findings up to date, and counts what happened, for trends. */
import { isSetAside, type Severity, type SeverityCounts } from '@svc/contract';
import type { Known } from './policy.ts';

export interface Fix {
  readonly identity: Uint8Array;
  readonly severity: Severity;
  readonly firstSeenAt: number;
}

export interface Ledger {
  readonly counts: SeverityCounts;
  readonly opened: number;
  readonly fixed: number;
  readonly setAside: number;
  readonly fixes: readonly Fix[];
}

/** How a change of one finding affects the open findings of its project. Most changes do not affect them. */
export type FindingEvent = 'opened' | 'fixed' | 'setAside';

/** A finding that stops being open without being set aside is fixed, unless its identity is weak. */
export function eventOf(from: Known | undefined, to: Known): FindingEvent | null {
  const wasOpen = from?.isOpen === 1;
  if (wasOpen === (to.isOpen === 1)) return null;
  if (!wasOpen) return 'opened';
  if (to.present === 1 && isSetAside(to.status)) return 'setAside';
  return to.isWeak === 0 && from.presentSeverity !== null ? 'fixed' : null;
}

export function createLedger(before: SeverityCounts) {
  const counts = { ...before };
  const fixes: Fix[] = [];
  let opened = 0;
  let setAside = 0;

  function recount({ isOpen, presentSeverity }: Known, by: 1 | -1): void {
    if (isOpen === 1 && presentSeverity !== null) counts[presentSeverity] += by;
  }

  return {
    /** A finding changed from one state to the other. */
    change(identity: Uint8Array, from: Known | undefined, to: Known): void {
      if (from) recount(from, -1);
      recount(to, 1);
      const event = eventOf(from, to);
      if (event === 'opened') opened += 1;
      else if (event === 'setAside') setAside += 1;
      else if (event === 'fixed' && from) fixes.push(fixOf(identity, from));
    },
    /** A finding is counted from now on, without being new. */
    begin(to: Known): void {
      recount(to, 1);
    },
    /** A finding is no longer counted, without being fixed. */
    withdraw(from: Known): void {
      recount(from, -1);
    },
    /** A finding is counted in another state, without an event. */
    replace(from: Known, to: Known): void {
      recount(from, -1);
      recount(to, 1);
    },
    result: (): Ledger => ({ counts, opened, fixed: fixes.length, setAside, fixes }),
  };
}

/** The fix of a finding that was open. */
export function fixOf(identity: Uint8Array, { presentSeverity, severity, firstSeenAt }: Known): Fix {
  return { identity, severity: presentSeverity ?? severity, firstSeenAt };
}
