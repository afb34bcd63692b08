/**
 * Corrects the history of a project when decisions are undone: replaces what happened with what would have happened
 * without them.
 */
import type { SeverityCounts } from '@svc/contract';
import type { Tx } from '#platform/database/database';
import { noEvents } from './finding-events.ts';
import { addToDay, deleteFix, insertFixes } from './history-store.ts';
import { dayOf } from './project-state.ts';
import { recountTools } from './tool-history.ts';
import { createToolLedger } from './tool-ledger.ts';
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
  const days = new Map([[dayOf(decidedAt), noChange()]]);
  const count = (events: readonly Happened[], by: 1 | -1) => {
    for (const { at, event, counted } of events) {
      const day = days.get(dayOf(at)) ?? noChange();
      day.events[event] += by;
      day.tools.happened(event, counted, by);
      days.set(dayOf(at), day);
    }
  };
  count(happened, -1);
  count(instead, 1);
  for (const [day, { events, tools }] of days) {
    await addToDay(tx, { projectId, day, ...counts, ...events });
    await recountTools(tx, projectId, day, tools.result());
  }
  for (const { at, fix } of happened.filter(isFix))
    await deleteFix(tx, { projectId, fixedAt: at, identity: fix.identity });
  await insertFixes(
    tx,
    instead.filter(isFix).map(({ at, fix }) => ({ projectId, fixedAt: at, ...fix })),
  );
}

function noChange() {
  return { events: noEvents(), tools: createToolLedger() };
}

function isFix({ event }: Happened): boolean {
  return event === 'fixed';
}
