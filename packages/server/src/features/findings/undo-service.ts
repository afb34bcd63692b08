/**
 * Undoes the decisions of one call: the previous decisions apply again, except where a finding has a newer decision.
 */
import { limits, type DecisionsUndone } from '@svc/contract';
import { AppError } from '#app-error';
import type { AuditRecorder } from '#features/audit';
import { prepareAgain } from '#features/projections';
import { lockReport, updateReport, type ReportsFeature } from '#features/reports';
import { updateUpload } from '#features/uploads';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import { isRecordId } from '#platform/ids';
import { identityKey } from '@svc/report';
import { deleteDecisions, isDecidedSince, listByUndo, type DecisionRow } from './decisions-store.ts';
import { openProject, saveProject, saveRows, type ProjectState } from './project-state.ts';
import { countsOfReport, readWhole } from './report-findings.ts';
import { findKnown, findNextLapse, type KnownRow } from './identities-store.ts';
import { forgetIdentities } from './identities-writing-store.ts';
import { deleteMoves, listMoves } from './moves-store.ts';
import { correctHistory } from './corrected-history.ts';
import { reportsSince, withoutDecision, type Happened } from './undone-status.ts';

export interface UndoPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly audit: Pick<AuditRecorder, 'record'>;
  readonly reports: Pick<ReportsFeature, 'requireReport'>;
  /** Deletes blobs after the transaction has committed. */
  readonly deleteBlobs: (tx: Tx, blobNames: readonly string[]) => Promise<void>;
  /** Prepares projections in the background. */
  readonly onPreparedLost: (reportId: string) => void;
}

/**
 * @throws AppError NOT_FOUND for an unknown call and for another person's; CONFLICT when a minute has passed;
 * REPORT_EXPIRED.
 */
export type Undo = (userId: string, reportId: string, undoId: string) => Promise<DecisionsUndone>;

export function createUndo(ports: UndoPorts): Undo {
  const { database, bus, clock, reports } = ports;

  return (userId, reportId, undoId) =>
    database.transaction(async (tx) => {
      const now = clock.now();
      const { row } = await reports.requireReport('readable', userId, reportId, tx);
      const made = isRecordId('und', undoId) ? await listByUndo(tx, undoId) : [];
      const [first] = made;
      if (!first || first.userId !== userId || first.reportId !== reportId) throw new AppError('NOT_FOUND');
      if (now > first.decidedAt + limits.decision.undoableMs)
        throw new AppError('CONFLICT', {
          message: 'This change was made more than a minute ago, so it can no longer be undone.',
        });
      const newer = [...new Set(made.flatMap(({ newerReportId }) => newerReportId ?? []))];
      const present: string[] = [];
      for (const id of newer) {
        if ((await lockReport(tx, id))?.state === 'finalized') present.push(id);
      }
      const state = await openProject(tx, row.projectId, now);
      if (!state) throw new AppError('NOT_FOUND');

      const undone: DecisionRow[] = [];
      const kept: string[] = [];
      for (const decision of made) {
        if (await isDecidedSince(tx, decision)) kept.push(decision.findingId);
        else undone.push(decision);
      }
      if (undone.length > 0) {
        const numbers = undone.map(({ number }) => number);
        for (const id of [reportId, ...present]) {
          const lost = await undoMoves(tx, id, numbers);
          await ports.deleteBlobs(tx, lost);
          if (lost.length > 0) database.afterCommit(tx, () => ports.onPreparedLost(id));
        }
        await restore(tx, state, undone, now);
        await deleteDecisions(tx, row.projectId, numbers);
        ports.audit.record(tx, {
          action: 'finding_decided',
          actorId: userId,
          workspaceId: row.workspaceId,
          reportId,
          detail: `undone ${undone.length}`,
        });
      }
      return { restored: undone.map(({ findingId }) => findingId), kept };
    });

  /** @returns the names of blobs that still show the decisions. */
  async function undoMoves(tx: Tx, reportId: string, numbers: readonly number[]): Promise<string[]> {
    const report = await lockReport(tx, reportId);
    if (!report || report.uploadId === null) return [];
    const wanted = new Set(numbers);
    const before = await listMoves(tx, reportId);
    const affected = new Set(
      before.flatMap(({ decision, findingId }) =>
        decision !== null && wanted.has(decision) ? findingId : [],
      ),
    );
    await deleteMoves(tx, reportId, numbers);
    const { marks, moves, lapses } = await readWhole(tx, reportId, report.uploadId);
    const untils = lapses.map(({ until }) => until);
    await updateReport(tx, reportId, {
      amendments: report.amendments + 1,
      lapsesAt: untils.length === 0 ? null : Math.min(...untils),
    });
    await updateUpload(tx, report.uploadId, { openFindings: JSON.stringify(countsOfReport(marks, moves)) });
    await bus.publish(tx, topics.reportChanged(reportId));
    const places = marks.flatMap(({ id }, place) => (affected.has(id) ? place : []));
    return prepareAgain(tx, bus, reportId, places);
  }
}

/** Restores what the project knew before the decisions, and applies newer reports to it. */
async function restore(
  tx: Tx,
  state: ProjectState,
  undone: readonly DecisionRow[],
  now: number,
): Promise<void> {
  const { project, ledger } = state;
  const identities = undone.map(({ identity }) => identity);
  const known = await findKnown(tx, project.id, identities);
  // All were decided in one call.
  const decidedAt = undone[0]?.decidedAt ?? now;
  const reports = await reportsSince(tx, project.id, undone, known);
  const rows: KnownRow[] = [];
  const unknown: Uint8Array[] = [];
  const happened: Happened[] = [];
  const instead: Happened[] = [];
  for (const [key, [first]] of Map.groupBy(undone, ({ identity }) => identityKey(identity))) {
    const from = known.get(key);
    if (!first || !from) continue;
    const { identity } = first;
    const other = withoutDecision(from, first, reports);
    happened.push(...other.happened);
    instead.push(...other.instead);
    ledger.replace(from, other.known ?? { ...from, present: 0, isOpen: 0 });
    if (other.known) rows.push({ ...other.known, identity });
    else unknown.push(identity);
  }
  await saveRows(tx, project.id, rows);
  await forgetIdentities(tx, project.id, unknown);
  // A restored decision may have lapsed since then. Its lapse is counted next, like any other.
  const lapsesAt = await findNextLapse(tx, project.id, decidedAt);
  await saveProject(tx, state, now, { lapsesAt });
  if (project.presentSince === null) return;
  await correctHistory(tx, project.id, { decidedAt, counts: ledger.result().counts, happened, instead });
}
