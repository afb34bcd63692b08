/** What people ask of findings: to move one on, and what has changed between two reports of a project. */
import {
  movesFrom,
  type FindingStatus,
  type ProjectedFinding,
  type ReportComparison,
  type SeverityCounts,
} from '@svc/contract';
import {
  actionOf,
  amendedFinding,
  compareFindings,
  moveStatus,
  statusOf,
  type FindingMark,
} from '@svc/report';
import { AppError } from '#app-error';
import type { Baseline, Renderings } from '#features/exports';
import { recordDecision } from '#features/projections';
import {
  projectedForReader,
  refreshProject,
  refuseExpired,
  updateReport,
  type ReadableReport,
  type ReportsFeature,
} from '#features/reports';
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
  readonly reports: Pick<ReportsFeature, 'requireReadable' | 'requireVisible' | 'lockReadable'>;
  readonly readFinding: Renderings['finding'];
}

export interface FindingService {
  /**
   * @throws AppError NOT_FOUND, also for a report of another project; REPORT_EXPIRED; CONFLICT while one of the two is live.
   */
  compare(userId: string, reportId: string, baseReportId: string): Promise<ReportComparison>;
  /**
   * @throws AppError NOT_FOUND, REPORT_EXPIRED; CONFLICT while the report is live, and for a move that is none; RATE_LIMITED
   * under load.
   */
  move(userId: string, reportId: string, findingId: string, to: FindingStatus): Promise<ProjectedFinding>;
  /** The project's report before this one; null when there is none that the user may read. */
  baselineOf(userId: string, report: ReadableReport['row']): Promise<Baseline | null>;
}

interface Move {
  readonly userId: string;
  readonly report: ReadableReport['row'];
  readonly uploadId: string;
  readonly mark: FindingMark;
  /** Of the finding in the report. */
  readonly place: number;
  readonly from: FindingStatus;
  readonly to: FindingStatus;
  readonly at: number;
}

export function createFindingService(ports: FindingPorts, records: FindingRecords): FindingService {
  const { database, bus, clock, reports } = ports;
  const db = database.read;

  async function comparedMarks(reportId: string, baseReportId: string) {
    const [base, current] = [await records.marksOf(db, baseReportId), await records.marksOf(db, reportId)];
    return compareFindings(base.map(comparable), current.map(comparable));
  }

  /** All that one move changes, in the transaction in which it was found to be allowed. */
  async function record(tx: Tx, move: Move): Promise<void> {
    const { report, uploadId, mark, place, from, to, at } = move;
    const amendments = report.amendments + 1;
    const action = actionOf(from, to);
    // Before what is known of its findings, as when a report is made final.
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
    await store.updateUpload(tx, uploadId, { openFindings });
    await refreshProject(tx, report.projectId);
    await bus.publish(tx, topics.amended(report.id));
  }

  return {
    async compare(userId, reportId, baseReportId) {
      const { row } = await reports.requireReadable(userId, reportId);
      const { row: base } = await reports.requireVisible(userId, baseReportId);
      if (base.projectId !== row.projectId) throw new AppError('NOT_FOUND');
      refuseExpired(base, clock.now());
      if (row.state === 'live' || base.state === 'live')
        throw new AppError('CONFLICT', {
          message: 'A scan is under way. Reports can be compared once both are final.',
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
      const { row, access } = await reports.requireReadable(userId, reportId);
      if (row.state === 'live')
        throw new AppError('CONFLICT', {
          message: 'The scan is under way. Its findings can be decided on once it has finished.',
        });
      const marks = await records.marksOf(db, reportId);
      const place = marks.findIndex(({ id }) => id === findingId);
      const mark = marks[place];
      if (!mark) throw new AppError('NOT_FOUND');
      const projecting = { reportId, projectedFor: projectedForReader(access), sharing: null };
      const uploaded = await ports.readFinding(row, projecting, findingId);
      if (!uploaded) throw new AppError('NOT_FOUND');
      return database.transaction(async (tx) => {
        // Anew, since all may have changed while its text was read.
        const { row: report } = await reports.lockReadable(tx, userId, reportId);
        if (report.uploadId === null) throw new AppError('REPORT_EXPIRED');
        const finding = amendedFinding(uploaded, await records.amendmentOf(tx, report, mark));
        const at = clock.now();
        const from = statusOf(finding);
        const outcome = moveStatus(finding, { to, at: isoTime(at) });
        if (!outcome.moved) throw notAllowed(from, to);
        refuseEndless(report.amendments);
        await record(tx, { userId, report, uploadId: report.uploadId, mark, place, from, to, at });
        return outcome.finding;
      });
    },

    async baselineOf(userId, row) {
      const before = await store.findReportBefore(db, row, clock.now());
      if (before === null) return null;
      try {
        await reports.requireReadable(userId, before);
      } catch (error) {
        // An administrator reads their own reports and nobody else's; another may expire just now.
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

function comparable({ id, identity }: FindingMark) {
  return { id, fingerprint: store.identityKey(identity) };
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function notAllowed(from: FindingStatus, to: FindingStatus): AppError {
  const said = from === to ? `The finding is ${from} already.` : `What is ${from} can not become ${to}.`;
  return new AppError('CONFLICT', {
    message: `${said} From ${from} it can become: ${movesFrom(from).join(', ')}.`,
  });
}

function refuseEndless(amendments: number): void {
  if (amendments >= MOVES_MAX)
    throw new AppError('CONFLICT', {
      message: `The findings of this report were moved ${MOVES_MAX} times. Decide on them in a newer report.`,
    });
}
