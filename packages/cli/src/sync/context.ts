/** The shared context of the steps of a sync. */
import type { Clock } from '../clock.ts';
import type { Connection } from '../connection/connect.ts';
import type { Environment } from '../environment.ts';
import { CliError } from '../errors.ts';
import type { LocalReport } from '../store/local-report.ts';
import { findReport } from '../store/reports.ts';
import type { Store } from '../store/store.ts';

export interface SyncContext {
  readonly store: Store;
  readonly connection: Connection;
  readonly environment: Environment;
  readonly clock: Clock;
  /** Ends everything under way, calls and pauses. */
  readonly signal: AbortSignal;
}

/** @throws CliError when the report was deleted in the meantime. */
export function reportIn(store: Store, localReportId: string): LocalReport {
  const report = findReport(store, localReportId);
  if (report !== undefined) return report;
  throw new CliError('failed', `The local report ${localReportId} no longer exists.`);
}

/**
 * Ids of one service have no meaning in another.
 * @throws CliError when the report was begun on another service.
 */
export function requireOwnService({ connection: { origin } }: SyncContext, { sync }: LocalReport): void {
  if (sync.origin === undefined || sync.origin === origin) return;
  throw new CliError('failed', `This report belongs to ${sync.origin}, and this machine uses ${origin}.`, {
    hint: `SVC_API_BASE_URL=${sync.origin} svc sync`,
  });
}
