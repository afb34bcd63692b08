/** Which findings are present in a project after one of its reports has ended. */
import {
  factsAt,
  identityKey,
  snapshotsWithIdentities,
  unpackedSnapshots,
  type PlacedSnapshot,
} from '@svc/report';
import type { Tx } from '#platform/database/database';
import { packedFinders } from './finders-policy.ts';
import { findKnown, type KnownRow } from './identities-store.ts';
import { findKept } from './kept-store.ts';
import { knownWithout, worstOf } from './policy.ts';
import { openProject, saveProject, saveRows, type ProjectState } from './project-state.ts';
import { listNewest } from './reports-store.ts';

const REPORTS_AT_ONCE = 20;

/** A report that is about to end. */
export interface EndingReport {
  readonly id: string;
  readonly projectId: string;
  readonly uploadId: string | null;
  readonly countedAs: number | null;
}

/** A person deletes the report: findings that only this report keeps present stop being present. */
export async function withdraw(tx: Tx, report: EndingReport, now: number): Promise<void> {
  const state = await openProject(tx, report.projectId, now);
  if (!state) return;
  const { ledger } = state;
  const rows = await heldBy(tx, state, report);
  const others = await otherHolders(tx, report, rows);
  const changed: KnownRow[] = [];
  for (const [key, row] of rows) {
    const other = others.get(key);
    if (!other && row.isHeld === 0) {
      ledger.withdraw(row);
      changed.push({ ...knownWithout(row), identity: row.identity });
    } else if (other && other.countedAs < (report.countedAs ?? 0)) {
      const after = { ...row, ...other.holding };
      ledger.change(row.identity, row, after);
      changed.push(after);
    }
  }
  await saveRows(tx, report.projectId, changed);
  await saveProject(tx, state, now);
}

/** The report expires: its findings stay present, even if other reports with them are deleted later. */
export async function hold(tx: Tx, report: EndingReport, now: number): Promise<void> {
  const state = await openProject(tx, report.projectId, now);
  if (!state) return;
  const rows = await heldBy(tx, state, report);
  const held = [...rows.values()].filter(({ isHeld }) => isHeld === 0);
  await saveRows(
    tx,
    report.projectId,
    held.map((row) => ({ ...row, isHeld: 1 })),
  );
}

/** The findings of an ending report that it helps to keep present. */
async function heldBy(tx: Tx, state: ProjectState, { uploadId, countedAs }: EndingReport) {
  const kept = uploadId === null ? null : await findKept(tx, uploadId);
  if (!kept?.findingMarks || countedAs === null || countedAs === 0) return new Map<string, KnownRow>();
  const identities = unpackedSnapshots(kept.findingMarks).map(({ identity }) => identity);
  const known = await findKnown(tx, state.project.id, identities);
  return new Map([...known].filter(([, row]) => row.present === 1 && (row.presentFrom ?? 0) <= countedAs));
}

/** A finding as another report has it. */
type Holding = Pick<KnownRow, 'presentSeverity'> & Partial<Pick<KnownRow, 'tool' | 'areas'>>;

/** For each finding, the newest other report that keeps it present, with the finding as that report has it. */
async function otherHolders(
  tx: Tx,
  { id, projectId }: EndingReport,
  rows: ReadonlyMap<string, KnownRow>,
): Promise<Map<string, { readonly countedAs: number; readonly holding: Holding }>> {
  const waiting = new Map(rows);
  const found = new Map<string, { countedAs: number; holding: Holding }>();
  for (let skip = 0; waiting.size > 0; skip += REPORTS_AT_ONCE) {
    const reports = await listNewest(tx, projectId, { now: 0, skip, most: REPORTS_AT_ONCE });
    for (const { id: otherId, countedAs, uploadId } of reports) {
      if (otherId === id || uploadId === null || countedAs === null || countedAs === 0) continue;
      const kept = await findKept(tx, uploadId);
      if (!kept?.findingMarks) continue;
      const identities = [...waiting.values()]
        .filter(({ presentFrom }) => (presentFrom ?? 0) <= countedAs)
        .map(({ identity }) => identity);
      const placed = snapshotsWithIdentities(kept.findingMarks, identities);
      for (const [key, [first, ...others]] of Map.groupBy(placed, ({ mark }) => identityKey(mark.identity))) {
        waiting.delete(key);
        if (first) found.set(key, { countedAs, holding: holdingOf([first, ...others], kept.findingFacts) });
      }
    }
    if (reports.length < REPORTS_AT_ONCE) break;
  }
  return found;
}

/** Equal findings of another report; without tools in reports of earlier versions, which stored none. */
function holdingOf(
  equals: readonly [PlacedSnapshot, ...PlacedSnapshot[]],
  packed: Uint8Array | null,
): Holding {
  const worst = worstOf(equals);
  const facts = packed === null ? null : factsAt(packed, new Set(equals.map(({ place }) => place)));
  const [first, ...others] = [worst, ...equals].flatMap(({ place }) => facts?.get(place) ?? []);
  return { presentSeverity: worst.mark.severity, ...(first && packedFinders([first, ...others])) };
}
