/** What the service has of a report that this account made. */
import type { OwnReport, ReportMetadata } from '@svc/contract';
import type { Connection } from '../connection/connect.ts';

/** Null when it is not among those that can still be read. */
export async function ownReport(
  connection: Connection,
  { projectId, reportId }: { readonly projectId: string; readonly reportId: string },
): Promise<OwnReport | ReportMetadata | null> {
  let before: string | undefined;
  for (;;) {
    const query = { projectId, ...(before !== undefined && { before }) };
    const { reports } = (await connection.call('listReports', { query })).body;
    const found = reports.find((report) => report.reportId === reportId);
    if (found) return found;
    // Oldest first: what follows is older than the first.
    before = reports[0]?.reportId;
    if (before === undefined) return null;
  }
}
