/**
 * Reports as their owners and the members of their workspaces get them: whole, in a JSON response, on a page or as a
 * file.
 */
import type { OwnFirstScreen, ReportMetadata, ReportRead } from '@svc/contract';
import { FIRST_SCREEN_FINDINGS_MAX } from '@svc/contract/first-screen';
import { AppError } from '#app-error';
import { projectedForReader, type ReadableReport, type ReportsFeature } from '#features/reports';
import { topics } from '#platform/bus/topics';
import { answerChanged, preparedText, type Holding, type Prepared } from '#prepared';
import type { ExportRecorder, WantedFile } from './export-records.ts';
import type { Baseline, Envelope, Renderings } from './renderings.ts';

export interface ExportPorts {
  readonly appBaseUrl: string;
  readonly requireReport: ReportsFeature['requireReport'];
  readonly requireCurrent: ReportsFeature['requireCurrent'];
  /** The latest decision about each finding of a report; empty if it has more findings than `findingsMax`. */
  readonly decisionsOf: (
    report: ReadableReport['row'],
    findingsMax?: number,
  ) => Promise<ReportRead['decisions']>;
  readonly describe: (report: ReadableReport) => ReportMetadata;
  /** The project's finalized report before this one, and the findings that are new in this one. */
  readonly baselineOf: (userId: string, report: ReadableReport['row']) => Promise<Baseline | null>;
  /** The support reads of the report, oldest first. */
  readonly supportAccessesOf: (reportId: string) => Promise<ReportRead['supportAccesses']>;
  readonly recordExport: ExportRecorder;
}

export interface ExportService {
  /**
   * A ReportRead.
   * @throws AppError NOT_FOUND, REPORT_EXPIRED; RATE_LIMITED under load.
   */
  read(userId: string, reportId: string, network: string): Promise<Prepared>;
  /**
   * The document of the report's page, around its first screen; null while the report is live.
   * @throws AppError as above.
   */
  page(
    userId: string,
    reportId: string,
    network: string,
    around: (read: OwnFirstScreen['read']) => Promise<Envelope>,
  ): Promise<Prepared | null>;
  /**
   * @throws AppError NOT_FOUND, REPORT_EXPIRED; CONFLICT while the report is live, and for too large a file;
   * RATE_LIMITED under load.
   */
  export(userId: string, reportId: string, network: string, wanted: WantedFile): Promise<Prepared>;
}

export function createExportService(ports: ExportPorts, renderings: Renderings): ExportService {
  /** The metadata of a report and its decisions. Only its owner sees who read it for support, and why. */
  async function readOf(readable: ReadableReport, findingsMax?: number) {
    const { row, access } = readable;
    const wasAccessed = row.supportAccesses > 0 && access === 'owner';
    const supportAccesses = wasAccessed ? await ports.supportAccessesOf(row.id) : [];
    const decisions = await ports.decisionsOf(row, findingsMax);
    return { ...ports.describe(readable), supportAccesses, decisions };
  }

  /** The permission with which owners and members read a report. */
  function heldBy(userId: string, { row, access }: ReadableReport): Holding {
    async function recheck(): Promise<number> {
      const now = await ports.requireReport('readable', userId, row.id);
      if (now.access !== access) throw answerChanged();
      return now.row.expiresAt;
    }
    const right = { topics: [topics.report(row.id), topics.user(userId)], endsAt: row.expiresAt, recheck };
    return { ownerId: row.ownerId, shareId: null, needsSession: true, right };
  }

  return {
    async read(userId, reportId, network) {
      const readable = await ports.requireCurrent('readable', userId, reportId);
      const about = await readOf(readable);
      const before = `${JSON.stringify(about).slice(0, -1)},"report":`;
      if (readable.row.state === 'live') return preparedText(`${before}null}`);
      const answer = await renderings.enclosed(
        { ...wholeFor(readable, network), form: 'data' },
        { before, after: '}' },
      );
      return { ...answer, holding: heldBy(userId, readable) };
    },

    async page(userId, reportId, network, around) {
      const readable = await ports.requireCurrent('readable', userId, reportId);
      if (readable.row.state === 'live') return null;
      const page = await renderings.enclosed(
        { ...wholeFor(readable, network), form: 'firstScreen' },
        await around(await readOf(readable, FIRST_SCREEN_FINDINGS_MAX)),
      );
      return { ...page, holding: heldBy(userId, readable) };
    },

    async export(userId, reportId, network, wanted) {
      const readable = await ports.requireCurrent('readable', userId, reportId);
      const { row } = readable;
      rejectLive(row);
      const { format, profile } = wanted;
      const isSarif = format === 'sarif';
      const file = await renderings.file({
        ...wholeFor(readable, network),
        form: format,
        profile: isSarif ? profile : undefined,
        own: {
          reportUrl: `${ports.appBaseUrl}/reports/${reportId}`,
          baseline: isSarif ? await ports.baselineOf(userId, row) : null,
        },
      });
      await ports.recordExport(row, wanted, { actorId: userId });
      return { ...file, holding: heldBy(userId, readable) };
    },
  };
}

/** Owners and members get the whole report. */
function wholeFor({ row, access }: ReadableReport, network: string) {
  const projectionInput = { reportId: row.id, projectedFor: projectedForReader[access], share: null };
  return { report: row, projectionInput, by: { network, shareId: null } };
}

/** @throws AppError CONFLICT */
export function rejectLive({ state }: Pick<ReadableReport['row'], 'state'>): void {
  if (state === 'live')
    throw new AppError('CONFLICT', {
      message: 'The scan is still running. Export the report once it has finished.',
    });
}
