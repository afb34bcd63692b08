/** Reports: their shells, who may read them, and their end. */
import type { ListedReport } from '@svc/contract';
import type { Tx } from '#platform/database/database';
import type { Feature } from '#feature';
import type { SessionPrincipal } from '#principal';
import { createExpiryService, type ExpiryPorts, type ExpiryService } from './expiry-service.ts';
import { reportRoutes } from './routes.ts';
import { createReportService, type ReportPorts, type ReportService } from './service.ts';
import { changeOwner } from './store.ts';

export { rejectExpired } from './expired.ts';
export { rewrapKeys } from './rewrapping-service.ts';
export { projectedForReader, requireOwnReport, type ReadableReport } from './service.ts';
export {
  countSupportAccess,
  endWithoutBody,
  lockExpiredWithEvents,
  lockReport,
  takeEventNumbers,
  updateReport,
  type ReportRow,
} from './store.ts';

export interface ReportsFeature extends Feature {
  readonly requireReport: ReportService['requireReport'];
  readonly requireCurrent: ReportService['requireCurrent'];
  readonly describe: ReportService['describe'];
  /** The newest reports that a person may read, up to the limit of a list, oldest first. */
  readonly list: (viewer: SessionPrincipal, of?: { readonly projectId: string }) => Promise<ListedReport[]>;
  readonly expireAll: ExpiryService['expireAll'];
  /** Gives a leaving member's reports in the workspace to another owner. */
  readonly passOn: (tx: Tx, workspaceId: string, from: string, to: string) => Promise<void>;
}

export function createReports(ports: ReportPorts & ExpiryPorts): ReportsFeature {
  const reports = createReportService(ports);
  const expiry = createExpiryService(ports, reports);
  return {
    routes: reportRoutes(reports, expiry),
    jobs: [expiry.job],
    requireReport: reports.requireReport,
    requireCurrent: reports.requireCurrent,
    describe: reports.describe,
    // A session gets every field of ListedReport; only a device gets fewer.
    list: async (viewer, of) => (await reports.list(viewer, of ?? {})) as ListedReport[],
    expireAll: expiry.expireAll,
    passOn: changeOwner,
  };
}
