/** What a change of findings does to the open findings of each tool. A finding of several tools counts for each of them. */
import { severities, type Severity, type SeverityCounts } from '@svc/contract';
import { identityKey } from '@svc/report';
import { findersIn } from './finders-policy.ts';
import { noEvents, type FindingEvent } from './finding-events.ts';
import type { Known } from './policy.ts';

export interface ToolChange {
  /** A keyed digest of the tool's name. */
  readonly tool: Uint8Array;
  /** By how much the number of open findings changed. */
  readonly change: SeverityCounts;
  readonly events: Readonly<Record<FindingEvent, number>>;
}

interface Changing {
  readonly tool: Uint8Array;
  readonly change: Record<Severity, number>;
  readonly events: Record<FindingEvent, number>;
}

export function createToolLedger() {
  const byTool = new Map<string, Changing>();

  function of(tool: Uint8Array): Changing {
    const key = identityKey(tool);
    const changing = byTool.get(key) ?? { tool, change: noneOpen(), events: noEvents() };
    byTool.set(key, changing);
    return changing;
  }

  function recount(known: Known | undefined, by: 1 | -1): void {
    if (known?.isOpen !== 1 || known.presentSeverity === null) return;
    for (const tool of toolsOf(known)) of(tool).change[known.presentSeverity] += by;
  }

  return {
    /** A finding changed from one state to the other; undefined if it is not known. */
    change(from: Known | undefined, to: Known | undefined): void {
      if (from && to && isSame(from, to)) return;
      recount(from, -1);
      recount(to, 1);
    },
    happened(event: FindingEvent, known: Known, by: 1 | -1 = 1): void {
      for (const tool of toolsOf(known)) of(tool).events[event] += by;
    },
    /** The tools for which something changed. */
    result: (): ToolChange[] =>
      [...byTool.values()].filter(
        ({ change, events }) =>
          severities.some((severity) => change[severity] !== 0) ||
          Object.values(events).some((count) => count !== 0),
      ),
  };
}

/** The digests of the tools that found a finding. None if it was never present. */
export function toolsOf(known: Pick<Known, 'tool' | 'areas'>): Uint8Array[] {
  return findersIn(known).map(({ tool }) => tool);
}

/** Whether both count for the same tools. Most findings of a report have not changed. */
function isSame(one: Known, other: Known): boolean {
  if (one.isOpen !== other.isOpen) return false;
  if (one.isOpen === 0) return true;
  return (
    one.presentSeverity === other.presentSeverity &&
    isEqual(one.tool, other.tool) &&
    isEqual(one.areas, other.areas)
  );
}

function isEqual(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

export function noneOpen(): Record<Severity, number> {
  return { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
}
