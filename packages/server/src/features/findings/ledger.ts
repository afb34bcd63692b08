/** Keeps the counts of a project's open findings up to date, and counts what happened, for trends. */
import type { Severity, SeverityCounts } from '@svc/contract';
import { countedOf, eventOf } from './finding-events.ts';
import type { Known } from './policy.ts';
import { createToolLedger, type ToolChange } from './tool-ledger.ts';

export interface Fix {
  readonly identity: Uint8Array;
  readonly severity: Severity;
  readonly firstSeenAt: number;
  /** The digest of its tool. */
  readonly tool: Uint8Array;
}

export interface Ledger {
  readonly counts: SeverityCounts;
  readonly opened: number;
  readonly fixed: number;
  readonly setAside: number;
  readonly fixes: readonly Fix[];
  readonly tools: readonly ToolChange[];
}

export function createLedger(before: SeverityCounts) {
  const counts = { ...before };
  const fixes: Fix[] = [];
  const tools = createToolLedger();
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
      tools.change(from, to);
      const event = eventOf(from, to);
      if (event !== null) tools.happened(event, countedOf(from, to));
      if (event === 'opened') opened += 1;
      else if (event === 'setAside') setAside += 1;
      else if (event === 'fixed' && from) fixes.push(...fixesOf(identity, from));
    },
    /** A finding is counted from now on, without being new. */
    begin(to: Known): void {
      recount(to, 1);
      tools.change(undefined, to);
    },
    /** A finding is no longer counted, without being fixed. */
    withdraw(from: Known): void {
      recount(from, -1);
      tools.change(from, undefined);
    },
    /** A finding is counted in another state, without an event. */
    replace(from: Known, to: Known): void {
      recount(from, -1);
      recount(to, 1);
      tools.change(from, to);
    },
    result: (): Ledger => ({
      counts,
      opened,
      fixed: fixes.length,
      setAside,
      fixes,
      tools: tools.result(),
    }),
  };
}

/** The fix of a finding that was open; an open finding has a tool and a severity. */
function fixesOf(identity: Uint8Array, { presentSeverity, firstSeenAt, tool }: Known): Fix[] {
  return presentSeverity === null || tool === null
    ? []
    : [{ identity, severity: presentSeverity, firstSeenAt, tool }];
}
