/** What a report changed in its project, and how it differs from another report. */
import type { ReportChanges, ReportComparison, SeverityCounts } from '@svc/contract';
import { compareFingerprints } from '@svc/report';
import { AppError } from '#app-error';
import type { Baseline } from '#features/exports';
import { rejectExpired, type ReadableReport, type ReportsFeature } from '#features/reports';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import type { FindingRecords } from './records-service.ts';
import { findOpenFindings, findReportBefore } from './reports-store.ts';

export interface FindingPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly reports: Pick<ReportsFeature, 'requireReport'>;
}

export interface FindingService {
  /**
   * @throws AppError NOT_FOUND, also for a report of another project; REPORT_EXPIRED; CONFLICT while one of the two is
   * live.
   */
  compare(userId: string, reportId: string, baseReportId: string): Promise<ReportComparison>;
  /** @throws AppError NOT_FOUND; REPORT_EXPIRED. */
  changesOf(userId: string, reportId: string): Promise<ReportChanges>;
  /** The project's report before this one; null when there is none that the user may read. */
  baselineOf(userId: string, report: ReadableReport['row']): Promise<Baseline | null>;
}

export function createFindingService(ports: FindingPorts, records: FindingRecords): FindingService {
  const { database, clock, reports } = ports;
  const db = database.read;

  async function comparedSnapshots(reportId: string, baseReportId: string) {
    const [base, current] = await records.comparedOf([baseReportId, reportId]);
    return compareFingerprints(base, current);
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
      const compared = await comparedSnapshots(reportId, baseReportId);
      return {
        baseReportId,
        new: compared.new.map(idOf),
        fixed: compared.fixed.map(idOf),
        unchanged: compared.unchanged.map(idOf),
      };
    },

    async changesOf(userId, reportId) {
      const { row } = await reports.requireReport('readable', userId, reportId);
      const openInProject = await findOpenFindings(db, row.projectId);
      return {
        opened: row.openedFindings,
        fixed: row.fixedFindings,
        openInProject: openInProject === null ? null : (JSON.parse(openInProject) as SeverityCounts),
      };
    },

    async baselineOf(userId, row) {
      const before = await findReportBefore(db, row, clock.now());
      if (before === null) return null;
      try {
        await reports.requireReport('readable', userId, before);
      } catch (error) {
        // An administrator may read only their own reports, and the earlier report may have just expired.
        if (error instanceof AppError) return null;
        throw error;
      }
      return {
        reportId: before,
        newFindingIds: async () => (await comparedSnapshots(row.id, before)).new.map(idOf),
      };
    },
  };
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}
