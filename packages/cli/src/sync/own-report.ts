/** Looks up a report that this account created in the service. */
import type { OwnReport, ReportMetadata } from '@svc/contract';
import type { Connection } from '../connection/connect.ts';

export interface ReportIdentity {
  readonly reportId: string;
  readonly localReportId: string;
  readonly projectId: string;
}

/**
 * One call, if the service filters by `localReportId`. An older service ignores the parameter and returns a page of the
 * project's reports; the search then continues with older pages.
 * @returns null when the report is not among the readable ones.
 */
export async function ownReport(
  connection: Pick<Connection, 'call'>,
  { reportId, localReportId, projectId }: ReportIdentity,
): Promise<OwnReport | ReportMetadata | null> {
  let before: string | undefined;
  for (;;) {
    const query = { projectId, localReportId, ...(before !== undefined && { before }) };
    const { reports } = (await connection.call('listReports', { query })).body;
    const found = reports.find((report) => report.reportId === reportId);
    if (found) return found;
    // Oldest first: the previous page ends where this one begins.
    before = reports[0]?.reportId;
    if (before === undefined) return null;
  }
}
