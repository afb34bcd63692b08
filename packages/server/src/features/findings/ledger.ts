/** Counts what a change does to the open findings of a project: the state, and what happened, for trends. */
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

export function createLedger(before: SeverityCounts) {
  const counts = { ...before };
  const fixes: Fix[] = [];
  let opened = 0;
  let setAside = 0;
  let unfixed = 0;

  function recount({ isOpen, presentSeverity }: Known, by: 1 | -1): void {
    if (isOpen === 1 && presentSeverity !== null) counts[presentSeverity] += by;
  }

  return {
    /** A finding changed from one state to the other. One that no report has any more is fixed, unless its identity is weak. */
    change(identity: Uint8Array, from: Known | undefined, to: Known): void {
      if (from) recount(from, -1);
      recount(to, 1);
      const wasOpen = from?.isOpen === 1;
      if (!wasOpen && to.isOpen === 1) opened += 1;
      if (!wasOpen || to.isOpen === 1) return;
      if (to.present === 1 && isSetAside(to.status)) setAside += 1;
      else if (to.isWeak === 0 && from.presentSeverity !== null)
        fixes.push({ identity, severity: from.presentSeverity, firstSeenAt: from.firstSeenAt });
    },
    /** A finding is counted from now on, without being new. */
    begin(to: Known): void {
      recount(to, 1);
    },
    /** A finding is no longer counted, without being fixed. */
    withdraw(from: Known): void {
      recount(from, -1);
    },
    /**
     * A finding returns to an earlier state, as if the later decision had not been made.
     * @param wasFixed whether that decision counted as a fix.
     */
    undo(from: Known, to: Known, wasFixed: boolean): void {
      recount(from, -1);
      recount(to, 1);
      if (wasFixed) unfixed += 1;
      else if (from.isOpen === 0 && to.isOpen === 1 && isSetAside(from.status)) setAside -= 1;
      else if (from.isOpen === 1 && to.isOpen === 0) opened -= 1;
    },
    result: (): Ledger => ({ counts, opened, fixed: fixes.length - unfixed, setAside, fixes }),
  };
}
