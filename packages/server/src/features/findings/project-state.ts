/**
 * What a project knows about its findings, for one transaction that changes it. The project is locked, and decisions
 * that have lapsed are counted as such before anything else.
 */
import type { Severity, SeverityCounts } from '@svc/contract';
import { lockCounts, updateProject, type ProjectCounts } from '#features/projects';
import { isoTime } from '#platform/clock';
import type { Tx } from '#platform/database/database';
import { addToDay, insertFixes } from './history-store.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { judged, noCounts, toTheDay } from './policy.ts';
import { addToToolHistory } from './tool-history.ts';
import { findNextLapse, type KnownRow, listLapsed } from './identities-store.ts';
import { saveKnown } from './identities-writing-store.ts';

export interface ProjectState {
  readonly project: ProjectCounts;
  readonly ledger: ReturnType<typeof createLedger>;
}

/** Null when the project was deleted. */
export async function openProject(tx: Tx, projectId: string, now: number): Promise<ProjectState | null> {
  const locked = await lockCounts(tx, projectId);
  if (!locked) return null;
  const project = locked.lapsesAt === null || locked.lapsesAt > now ? locked : await settle(tx, locked, now);
  return { project, ledger: createLedger(countsOf(project)) };
}

/** @param change what else changes in the project's row. */
export async function saveProject(
  tx: Tx,
  { project, ledger }: ProjectState,
  now: number,
  change: Partial<ProjectCounts> = {},
): Promise<void> {
  const result = ledger.result();
  await updateProject(tx, project.id, { ...change, openFindings: JSON.stringify(result.counts) });
  await addToHistory(tx, project.id, result, now);
}

/** The earlier of two times, each of which may be missing. */
export function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** Saves the rows, each under its own identity. */
export async function saveRows(tx: Tx, projectId: string, rows: readonly KnownRow[]): Promise<void> {
  await saveKnown(
    tx,
    rows.map((row) => ({ ...row, projectId })),
  );
}

/** Counts each lapse on the day on which it happened. */
async function settle(tx: Tx, project: ProjectCounts, now: number): Promise<ProjectCounts> {
  const lapsed = await listLapsed(tx, project.id, now);
  let counts = countsOf(project);
  for (const [day, rows] of Map.groupBy(lapsed, ({ until }) => toTheDay(until ?? now))) {
    const ledger = createLedger(counts);
    const opened = rows.map((row) => ({ ...judged(row, now), identity: row.identity }));
    for (const [index, row] of rows.entries()) ledger.change(row.identity, row, opened[index] ?? row);
    await saveRows(tx, project.id, opened);
    const result = ledger.result();
    await addToHistory(tx, project.id, result, day);
    ({ counts } = result);
  }
  const change = {
    lapsesAt: await findNextLapse(tx, project.id, now),
    openFindings: JSON.stringify(counts),
  };
  await updateProject(tx, project.id, change);
  return { ...project, ...change };
}

async function addToHistory(
  tx: Tx,
  projectId: string,
  { counts, opened, fixed, setAside, fixes, tools }: Ledger,
  at: number,
): Promise<void> {
  await addToDay(tx, { projectId, day: dayOf(at), ...counts, opened, fixed, setAside });
  await addToToolHistory(tx, projectId, dayOf(at), tools);
  await insertFixes(
    tx,
    fixes.map((fix) => ({ projectId, fixedAt: at, ...fix })),
  );
}

/** The UTC day in the form `2026-01-31`. */
export function dayOf(at: number): string {
  return isoTime(at).slice(0, 'yyyy-mm-dd'.length);
}

function countsOf({ openFindings }: ProjectCounts): SeverityCounts {
  return openFindings === null ? noCounts : (JSON.parse(openFindings) as Record<Severity, number>);
}
