/**
 * Corrects the history of a project when decisions are undone: replaces what happened with what would have happened
 * without them.
 */
import type { SeverityCounts } from '@svc/contract';
import type { Tx } from '#platform/database/database';
import { addToDay, deleteFix, insertFixes } from './history-store.ts';
import type { FindingEvent } from './ledger.ts';
import { dayOf } from './project-state.ts';
import type { Happened } from './undone-status.ts';

interface Correction {
  readonly decidedAt: number;
  /** The open findings of the project now. */
  readonly counts: SeverityCounts;
  readonly happened: readonly Happened[];
  readonly instead: readonly Happened[];
}

export async function correctHistory(
  tx: Tx,
  projectId: string,
  { decidedAt, counts, happened, instead }: Correction,
): Promise<void> {
  const days = new Map([[dayOf(decidedAt), noEvents()]]);
  const count = (events: readonly Happened[], by: 1 | -1) => {
    for (const { at, event } of events) {
      const day = days.get(dayOf(at)) ?? noEvents();
      day[event] += by;
      days.set(dayOf(at), day);
    }
  };
  count(happened, -1);
  count(instead, 1);
  for (const [day, events] of days) await addToDay(tx, { projectId, day, ...counts, ...events });
  for (const { at, fix } of happened.filter(isFix))
    await deleteFix(tx, { projectId, fixedAt: at, identity: fix.identity });
  await insertFixes(
    tx,
    instead.filter(isFix).map(({ at, fix }) => ({ projectId, fixedAt: at, ...fix })),
  );
}

function noEvents(): Record<FindingEvent, number> {
  return { opened: 0, fixed: 0, setAside: 0 };
}

function isFix({ event }: Happened): boolean {
  return event === 'fixed';
}
