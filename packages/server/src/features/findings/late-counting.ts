/**
 * Counts reports that became final before the service counted findings, or under an earlier version. Their facts are
 * complete.
 */
import { unpackedFacts, unpackedSnapshots } from '@svc/report';
import { updateReport } from '#features/reports';
import type { Tx } from '#platform/database/database';
import { countReport, equalsOf } from './counting.ts';
import { findKnown, listPresent, type KnownRow } from './identities-store.ts';
import { findKept } from './kept-store.ts';
import { listMoves } from './moves-store.ts';
import { judged, knownAfter, type Known } from './policy.ts';
import { saveProject, saveRows, type ProjectState } from './project-state.ts';
import type { UncountedRow } from './reports-store.ts';

/** Starts counting with the findings of the newest report. */
export async function startCounting(
  tx: Tx,
  state: ProjectState,
  report: UncountedRow,
  now: number,
): Promise<void> {
  const { project, ledger } = state;
  const counted = await countedFrom(tx, state, report);
  const rows: KnownRow[] = [];
  if (counted) {
    const decided = new Set((await listMoves(tx, report.id)).map(({ findingId }) => findingId));
    for (const [key, equals] of equalsOf(counted.marks, counted.facts.findings)) {
      const before = counted.known.get(key);
      const { order } = counted;
      const after = knownAfter(equals, before, { now: report.finalizedAt ?? now, order });
      const isByPerson = equals.some(({ mark }) => decided.has(mark.id));
      const { identity } = equals[0].mark;
      rows.push({ ...judged({ ...after, ...(before && statusIn(before, isByPerson)) }, now), identity });
    }
  }
  await saveRows(tx, project.id, rows);
  for (const row of rows) ledger.begin(row);
  await saveProject(tx, state, now, {
    presentSince: now,
    ...(counted && { reportsCounted: counted.order }),
  });
  await updateReport(tx, report.id, { countedAs: counted?.order ?? 0 });
}

/** Counts a report that an earlier version of the service finalized while this version was running. */
export async function countLate(
  tx: Tx,
  state: ProjectState,
  report: UncountedRow,
  now: number,
): Promise<void> {
  const counted = await countedFrom(tx, state, report);
  if (counted) {
    const { known: found, order, facts } = counted;
    const present = await listPresent(tx, state.project.id, facts.scan.ran);
    const known = { now: found, movedTo: new Map<string, null>(), movedAway: [] };
    await countReport(tx, state, { ...counted, known, present }, now);
    await saveProject(tx, state, now, { reportsCounted: order });
  }
  await updateReport(tx, report.id, { countedAs: counted?.order ?? 0 });
}

/** The findings of a report, and what its project knows about them. Null for a report that is not counted. */
async function countedFrom(tx: Tx, { project }: ProjectState, { uploadId }: UncountedRow) {
  const kept = uploadId === null ? null : await findKept(tx, uploadId);
  if (!kept?.findingMarks || !kept.findingFacts) return null;
  const facts = unpackedFacts(kept.findingFacts);
  if (facts.scan.isOfOtherBranch) return null;
  const marks = unpackedSnapshots(kept.findingMarks);
  const identities = marks.map(({ identity }) => identity);
  const known = await findKnown(tx, project.id, identities);
  return { marks, facts, known, order: project.reportsCounted + 1 };
}

/** The status that an earlier version stored. It is newer than the report's, and so replaces it. */
function statusIn({ status, severity, statusAt }: Known, isByPerson: boolean) {
  return { status, severity, statusAt, decidedAt: isByPerson ? statusAt : null, until: null, decision: null };
}
