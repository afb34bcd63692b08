/** What a change of findings does to the open findings of each tool. */
import { severities, type Severity, type SeverityCounts } from '@svc/contract';
import { identityKey } from '@svc/report';
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
    if (known.tool !== null) of(known.tool).change[known.presentSeverity] += by;
  }

  return {
    /** A finding changed from one state to the other; undefined if it is not known. */
    change(from: Known | undefined, to: Known | undefined): void {
      if (from && to && isSame(from, to)) return;
      recount(from, -1);
      recount(to, 1);
    },
    happened(event: FindingEvent, { tool }: Known): void {
      if (tool !== null) of(tool).events[event] += 1;
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

/** Whether both count for the same tool. Most findings of a report have not changed. */
function isSame(one: Known, other: Known): boolean {
  if (one.isOpen !== other.isOpen) return false;
  if (one.isOpen === 0) return true;
  return one.presentSeverity === other.presentSeverity && isEqual(one.tool, other.tool);
}

function isEqual(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

export function noneOpen(): Record<Severity, number> {
  return { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
}
