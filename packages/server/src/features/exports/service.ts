/** Reports as their owners and the members of their workspaces get them: whole, in a JSON answer or as a file. */
import type { ExportFormat, ReportMetadata } from '@svc/contract';
import { AppError } from '#app-error';
import { projectedForReader, type ReadableReport } from '#features/reports';
import { preparedText, type Prepared } from '#prepared';
import type { Baseline, Renderings } from './renderings.ts';

export interface ExportPorts {
  readonly appBaseUrl: string;
  readonly requireReadable: (userId: string, reportId: string) => Promise<ReadableReport>;
  readonly describe: (report: ReadableReport) => ReportMetadata;
  /** The project's finalized report before this one, and what of this one was not in it. */
  readonly baselineOf: (userId: string, report: ReadableReport['row']) => Promise<Baseline | null>;
}

export interface ExportService {
  /**
   * A ReportRead.
   * @throws AppError NOT_FOUND, REPORT_EXPIRED; RATE_LIMITED under load.
   */
  read(userId: string, reportId: string): Promise<Prepared>;
  /** @throws AppError NOT_FOUND, REPORT_EXPIRED; CONFLICT while it is live; RATE_LIMITED under load. */
  export(
    userId: string,
    reportId: string,
    format: ExportFormat,
    profile: 'github' | undefined,
  ): Promise<Prepared>;
}

export function createExportService(ports: ExportPorts, renderings: Renderings): ExportService {
  return {
    async read(userId, reportId) {
      const readable = await ports.requireReadable(userId, reportId);
      const { row, access } = readable;
      const known = JSON.stringify({ ...ports.describe(readable), supportAccesses: [] });
      const before = `${known.slice(0, -1)},"report":`;
      if (row.state === 'live') return preparedText(`${before}null}`);
      const projecting = { reportId, projectedFor: projectedForReader(access), sharing: null };
      return renderings.answer({ report: row, projecting }, { before, after: '}' });
    },

    async export(userId, reportId, format, profile) {
      const { row, access } = await ports.requireReadable(userId, reportId);
      refuseLive(row);
      const isSarif = format === 'sarif';
      return renderings.file({
        report: row,
        projecting: { reportId, projectedFor: projectedForReader(access), sharing: null },
        form: format,
        profile: isSarif ? profile : undefined,
        own: {
          reportUrl: `${ports.appBaseUrl}/reports/${reportId}`,
          baseline: isSarif ? await ports.baselineOf(userId, row) : null,
        },
      });
    },
  };
}

/** @throws AppError CONFLICT */
export function refuseLive({ state }: Pick<ReadableReport['row'], 'state'>): void {
  if (state === 'live')
    throw new AppError('CONFLICT', {
      message: 'The scan is under way. There is a file once it has finished.',
    });
}
