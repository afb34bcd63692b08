/**
 * Counts the open findings of each tool by day. The first change of a tool on a day counts them from the project's rows;
 * later changes of the day only add.
 */
import { severities, type Severity, type SeverityCounts } from '@svc/contract';
import { identityKey } from '@svc/report';
import type { Tx } from '#platform/database/database';
import { noEvents } from './finding-events.ts';
import { noneOpen, type ToolChange } from './tool-ledger.ts';
import { addToToolDays, listOpenGroups, listToolDays } from './tool-history-store.ts';

/** Call it after the rows of the findings were saved. */
export async function addToToolHistory(
  tx: Tx,
  projectId: string,
  day: string,
  changes: readonly ToolChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const kept = new Map((await listToolDays(tx, projectId, day)).map((row) => [identityKey(row.tool), row]));
  const rows = changes.flatMap(({ tool, change, events }) => {
    const before = kept.get(identityKey(tool));
    return before ? [{ projectId, day, tool, ...sumOf(before, change), ...events }] : [];
  });
  await (rows.length === changes.length
    ? addToToolDays(tx, rows)
    : recountTools(tx, projectId, day, changes));
}

/** Sets the open findings of all tools on a day to those of now, and adds what happened on the day. */
async function recountTools(
  tx: Tx,
  projectId: string,
  day: string,
  changes: readonly Pick<ToolChange, 'tool' | 'events'>[],
): Promise<void> {
  const open = await countOpenByTool(tx, projectId);
  const kept = await listToolDays(tx, projectId, day);
  const events = new Map(changes.map((each) => [identityKey(each.tool), each.events]));
  const tools = new Map([...kept, ...open.values(), ...changes].map(({ tool }) => [identityKey(tool), tool]));
  await addToToolDays(
    tx,
    [...tools].map(([key, tool]) => {
      const counts = open.get(key)?.open ?? noneOpen();
      return { projectId, day, tool, ...counts, ...(events.get(key) ?? noEvents()) };
    }),
  );
}

/** By `identityKey` of the tool. */
async function countOpenByTool(tx: Tx, projectId: string) {
  const byTool = new Map<string, { readonly tool: Uint8Array; readonly open: Record<Severity, number> }>();
  for (const { tool, presentSeverity, count } of await listOpenGroups(tx, projectId)) {
    if (tool === null || presentSeverity === null) continue;
    const of = byTool.get(identityKey(tool)) ?? { tool, open: noneOpen() };
    byTool.set(identityKey(tool), of);
    of.open[presentSeverity] += count;
  }
  return byTool;
}

function sumOf(counts: SeverityCounts, change: SeverityCounts): Record<Severity, number> {
  const sum = noneOpen();
  for (const severity of severities) sum[severity] = counts[severity] + change[severity];
  return sum;
}
