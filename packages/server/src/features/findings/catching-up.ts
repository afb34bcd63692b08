/** Catches up with reports from earlier versions of the service: computes the facts about them, and counts them. */
import { factsOf, packedFacts, unpackedFacts, unpackedSnapshots, type CanonicalReport } from '@svc/report';
import { AppError } from '#app-error';
import { updateReport } from '#features/reports';
import { updateUpload } from '#features/uploads';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import type { ProjectKeys } from '#platform/project-keys';
import { countOpen } from './identities-store.ts';
import { findKept } from './kept-store.ts';
import { countLate, startCounting } from './late-counting.ts';
import { createLedger } from './ledger.ts';
import { listMoves } from './moves-store.ts';
import { openProject } from './project-state.ts';
import { countsOfReport } from './report-findings.ts';
import { findFinal, listUncounted, type UncountedRow } from './reports-store.ts';

export interface CatchingUpPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly projectKeys: ProjectKeys;
  /** @throws AppError REPORT_EXPIRED when it has expired. */
  readonly readBytes: (report: Pick<UncountedRow, 'id' | 'wrappedKey' | 'uploadId'>) => Promise<Uint8Array>;
}

export interface CatchingUp {
  /**
   * Counts the reports of a project that became final before the service counted findings, or under an earlier version.
   */
  catchUp(projectId: string): Promise<void>;
  /** Computes, from its body, facts that are missing because an earlier version of the service stored the upload. */
  completeFacts(reportId: string): Promise<void>;
}

export function createCatchingUp(ports: CatchingUpPorts): CatchingUp {
  const { database, clock, projectKeys } = ports;
  const db = database.read;

  /** Makes sure that the facts of a report are stored, and computes them from its body if needed. */
  async function completed(report: UncountedRow) {
    const kept = report.uploadId === null ? null : await findKept(db, report.uploadId);
    if (!kept?.findingMarks || report.uploadId === null) return null;
    const marks = unpackedSnapshots(kept.findingMarks);
    if (kept.findingFacts !== null) return { marks, facts: unpackedFacts(kept.findingFacts) };
    const bytes = await ports.readBytes(report);
    const body = JSON.parse(new TextDecoder().decode(bytes)) as CanonicalReport;
    const facts = factsOf(body, projectKeys.ofFindings(report.projectId));
    const moves = Map.groupBy(await listMoves(db, report.id), ({ findingId }) => findingId);
    const { uploadId } = report;
    await database.transaction((tx) =>
      updateUpload(tx, uploadId, {
        findingFacts: packedFacts(facts),
        openFindings: JSON.stringify(countsOfReport(marks, moves)),
      }),
    );
    return { marks, facts };
  }

  async function completedIfPresent(report: UncountedRow) {
    try {
      return await completed(report);
    } catch (error) {
      if (error instanceof AppError && error.code === 'REPORT_EXPIRED') return null;
      throw error;
    }
  }

  async function catchUp(projectId: string): Promise<void> {
    for (;;) {
      const waiting = await listUncounted(db, projectId);
      const newest = waiting.at(-1);
      if (!newest) return;
      for (const report of waiting) await completedIfPresent(report);
      const isDone = await database.transaction(async (tx) => {
        const now = clock.now();
        const state = await openProject(tx, projectId, now);
        if (!state) return true;
        const uncounted = await listUncounted(tx, projectId);
        if (state.project.presentSince === null) {
          const last = uncounted.at(-1);
          if (!last) return true;
          for (const { id } of uncounted.slice(0, -1)) await updateReport(tx, id, { countedAs: 0 });
          await startCounting(tx, state, last, now);
          return true;
        }
        const [first] = uncounted;
        if (!first) return true;
        // The previous version of the service has replaced the stored counts with those of the project's newest report,
        // so they are counted from the rows.
        const ledger = createLedger(await countOpen(tx, projectId));
        await countLate(tx, { ...state, ledger }, first, now);
        return uncounted.length === 1;
      });
      if (isDone) return;
    }
  }

  return {
    catchUp,

    async completeFacts(reportId) {
      const report = await findFinal(db, reportId);
      if (report) await completedIfPresent(report);
    },
  };
}
