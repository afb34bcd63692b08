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
  const found = await completedFrom(tx, report);
  const { project, ledger } = state;
  const order = project.reportsCounted + 1;
  const rows: KnownRow[] = [];
  const isOfOtherBranch = found?.facts.scan.isOfOtherBranch ?? true;
  if (found && !isOfOtherBranch) {
    const known = await findKnown(
      tx,
      project.id,
      found.marks.map(({ identity }) => identity),
    );
    const decided = new Set((await listMoves(tx, report.id)).map(({ findingId }) => findingId));
    for (const [key, equals] of equalsOf(found)) {
      const before = known.get(key);
      const counted = knownAfter(equals, before, { now: report.finalizedAt ?? now, order });
      const isByPerson = equals.some(({ mark }) => decided.has(mark.id));
      const after = judged({ ...counted, ...(before ? statusIn(before, isByPerson) : {}) }, now);
      const { identity } = equals[0].mark;
      rows.push({ ...after, identity });
    }
  }
  await saveRows(tx, project.id, rows);
  for (const row of rows) ledger.begin(row);
  await saveProject(tx, state, now, {
    presentSince: now,
    ...(isOfOtherBranch ? {} : { reportsCounted: order }),
  });
  await updateReport(tx, report.id, { countedAs: isOfOtherBranch ? 0 : order });
}

/** Counts a report that an earlier version finalized while this one was running. */
export async function countLate(
  tx: Tx,
  state: ProjectState,
  report: UncountedRow,
  now: number,
): Promise<void> {
  const found = await completedFrom(tx, report);
  const { project } = state;
  const order = project.reportsCounted + 1;
  const isOfOtherBranch = found?.facts.scan.isOfOtherBranch ?? true;
  if (found && !isOfOtherBranch) {
    const known = await findKnown(
      tx,
      project.id,
      found.marks.map(({ identity }) => identity),
    );
    const present = await listPresent(tx, project.id, found.facts.scan.ran);
    const taken = { now: known, movedTo: new Set<string>(), movedAway: [] };
    await countReport(tx, state, { ...found, known: taken, found: known, present, order }, now);
    await saveProject(tx, state, now, { reportsCounted: order });
  }
  await updateReport(tx, report.id, { countedAs: isOfOtherBranch ? 0 : order });
}

async function completedFrom(tx: Tx, { uploadId }: UncountedRow) {
  const kept = uploadId === null ? null : await findKept(tx, uploadId);
  if (!kept?.findingMarks || !kept.findingFacts) return null;
  return { marks: unpackedSnapshots(kept.findingMarks), facts: unpackedFacts(kept.findingFacts) };
}

/** The status that an earlier version stored is the newest one. */
function statusIn({ status, severity, statusAt }: Known, isByPerson: boolean) {
  return { status, severity, statusAt, decidedAt: isByPerson ? statusAt : null, until: null, decision: null };
}
