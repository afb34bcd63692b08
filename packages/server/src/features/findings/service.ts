/** Triage decisions, and the comparison of two reports of a project. */
import {
  movesFrom,
  type FindingStatus,
  type ProjectedFinding,
  type ReportComparison,
  type SeverityCounts,
} from '@svc/contract';
import {
  actionOf,
  overlaidFinding,
  compareFingerprints,
  moveStatus,
  statusOf,
  type FindingSnapshot,
} from '@svc/report';
import { AppError } from '#app-error';
import type { Baseline, Renderings } from '#features/exports';
import { recordDecision } from '#features/projections';
import { summarizeProject } from '#features/projects';
import {
  projectedForReader,
  rejectExpired,
  updateReport,
  type ReadableReport,
  type ReportsFeature,
} from '#features/reports';
import { updateUpload } from '#features/uploads';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { isoTime, type Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import { MOVES_MAX, openCountsAfter, toTheDay } from './policy.ts';
import type { FindingRecords } from './records-service.ts';
import * as store from './store.ts';

export interface FindingPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly reports: Pick<ReportsFeature, 'requireReport'>;
  readonly readFinding: Renderings['finding'];
}

export interface FindingService {
  /**
   * @throws AppError NOT_FOUND, also for a report of another project; REPORT_EXPIRED; CONFLICT while one of the two is live.
   */
  compare(userId: string, reportId: string, baseReportId: string): Promise<ReportComparison>;
  /**
   * @throws AppError NOT_FOUND, REPORT_EXPIRED; CONFLICT while the report is live, and when the status cannot change so;
   * RATE_LIMITED under load.
   */
  move(userId: string, reportId: string, findingId: string, to: FindingStatus): Promise<ProjectedFinding>;
  /** The project's report before this one; null when there is none that the user may read. */
  baselineOf(userId: string, report: ReadableReport['row']): Promise<Baseline | null>;
}

interface Move {
  readonly userId: string;
  readonly report: ReadableReport['row'];
  readonly uploadId: string;
  readonly mark: FindingSnapshot;
  /** The position of the finding in the report. */
  readonly place: number;
  readonly from: FindingStatus;
  readonly to: FindingStatus;
  readonly at: number;
}

export function createFindingService(ports: FindingPorts, records: FindingRecords): FindingService {
  const { database, bus, clock, reports } = ports;
  const db = database.read;

  async function comparedMarks(reportId: string, baseReportId: string) {
    const [base, current] = [
      await records.snapshotsOf(db, baseReportId),
      await records.snapshotsOf(db, reportId),
    ];
    return compareFingerprints(base.map(comparable), current.map(comparable));
  }

  /** Stores all changes of one decision, in the transaction that checked that it is allowed. */
  async function record(tx: Tx, move: Move): Promise<void> {
    const { report, uploadId, mark, place, from, to, at } = move;
    const amendments = report.amendments + 1;
    const action = actionOf(from, to);
    // Locks the project before its finding identities, in the same order as finalizing.
    await store.lockProject(tx, report.projectId);
    await store.insertMove(tx, {
      reportId: report.id,
      findingId: mark.id,
      number: amendments,
      userId: move.userId,
      movedAt: at,
      fromStatus: from,
      toStatus: to,
      action,
    });
    const decision = { findingId: mark.id, movedAt: at, toStatus: to, action };
    await recordDecision(tx, bus, { reportId: report.id, place }, decision);
    await updateReport(tx, report.id, { amendments });
    await store.saveDecision(tx, {
      projectId: report.projectId,
      identity: mark.identity,
      firstSeenAt: mark.firstSeenAt ?? report.finalizedAt ?? at,
      lastSeenAt: toTheDay(at),
      status: to,
      severity: mark.severity,
      statusAt: at,
    });
    const counts = JSON.parse((await store.findOpenCounts(tx, uploadId)) ?? '{}') as SeverityCounts;
    const openFindings = JSON.stringify(openCountsAfter(counts, mark.severity, { from, to }));
    await updateUpload(tx, uploadId, { openFindings });
    await summarizeProject(tx, report.projectId);
    await bus.publish(tx, topics.reportChanged(report.id));
  }

  return {
    async compare(userId, reportId, baseReportId) {
      const { row } = await reports.requireReport('readable', userId, reportId);
      const { row: base } = await reports.requireReport('visible', userId, baseReportId);
      if (base.projectId !== row.projectId) throw new AppError('NOT_FOUND');
      rejectExpired(base, clock.now());
      if (row.state === 'live' || base.state === 'live')
        throw new AppError('CONFLICT', {
          message: 'A scan is still running. Reports can be compared once both are final.',
        });
      const compared = await comparedMarks(reportId, baseReportId);
      return {
        baseReportId,
        new: compared.new.map(idOf),
        fixed: compared.fixed.map(idOf),
        unchanged: compared.unchanged.map(idOf),
      };
    },

    async move(userId, reportId, findingId, to) {
      const { row, access } = await reports.requireReport('readable', userId, reportId);
      if (row.state === 'live')
        throw new AppError('CONFLICT', {
          message: 'The scan is still running. Change the status of a finding once it has finished.',
        });
      const marks = await records.snapshotsOf(db, reportId);
      const place = marks.findIndex(({ id }) => id === findingId);
      const mark = marks[place];
      if (!mark) throw new AppError('NOT_FOUND');
      const projectionInput = { reportId, projectedFor: projectedForReader[access], share: null };
      const uploaded = await ports.readFinding(row, projectionInput, findingId);
      if (!uploaded) throw new AppError('NOT_FOUND');
      return database.transaction(async (tx) => {
        // Checked again, because everything may have changed while the report body was read.
        const { row: report } = await reports.requireReport('readable', userId, reportId, tx);
        if (report.uploadId === null) throw new AppError('REPORT_EXPIRED');
        const finding = overlaidFinding(uploaded, await records.overlayOf(tx, report, mark));
        const at = clock.now();
        const from = statusOf(finding);
        const outcome = moveStatus(finding, { to, at: isoTime(at) });
        if (!outcome.moved) throw notAllowed(from, to);
        if (report.amendments >= MOVES_MAX)
          throw new AppError('CONFLICT', {
            message: `The findings of this report have been changed ${MOVES_MAX} times, which is the limit. Decide on them in a newer report.`,
          });
        await record(tx, { userId, report, uploadId: report.uploadId, mark, place, from, to, at });
        return outcome.finding;
      });
    },

    async baselineOf(userId, row) {
      const before = await store.findReportBefore(db, row, clock.now());
      if (before === null) return null;
      try {
        await reports.requireReport('readable', userId, before);
      } catch (error) {
        // An administrator reads only their own reports, and another report may have just expired.
        if (error instanceof AppError) return null;
        throw error;
      }
      return {
        reportId: before,
        newFindingIds: async () => (await comparedMarks(row.id, before)).new.map(idOf),
      };
    },
  };
}

function comparable({ id, identity }: FindingSnapshot) {
  return { id, fingerprint: store.identityKey(identity) };
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function notAllowed(from: FindingStatus, to: FindingStatus): AppError {
  const said =
    from === to ? `The finding is already ${from}.` : `A finding that is ${from} cannot become ${to}.`;
  return new AppError('CONFLICT', {
    message: `${said} From ${from} it can become: ${movesFrom(from).join(', ')}.`,
  });
}
