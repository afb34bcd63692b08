/** Creates, finds, changes and deletes local reports. */
import { CliError } from '../errors.ts';
import type { LocalReport, LocalReportState, ReportDetails } from './local-report.ts';
import type { Store } from './store.ts';

export type NewReport = Pick<LocalReport, 'localReportId' | 'repositoryRoot' | 'createdAt'> &
  Omit<
    ReportDetails,
    | 'candidateCount'
    | 'duplicateCount'
    | 'coverage'
    | 'coverageAreas'
    | 'limitations'
    | 'redactions'
    | 'warnings'
    | 'sync'
  >;

interface ReportRow {
  readonly number: number;
  readonly local_report_id: string;
  readonly repository_root: string;
  readonly state: LocalReportState;
  readonly created_at: string;
  readonly last_finding_number: number;
  readonly details: string;
}

const COLUMNS = 'number, local_report_id, repository_root, state, created_at, last_finding_number, details';
const BY_ID = `SELECT ${COLUMNS} FROM reports WHERE local_report_id = ?`;

/** Creates a report in state `scanning`, without findings. */
export function createReport(store: Store, given: NewReport): LocalReport {
  const { localReportId, repositoryRoot, createdAt, ...known } = given;
  const details: ReportDetails = {
    ...known,
    candidateCount: 0,
    duplicateCount: 0,
    coverage: [],
    coverageAreas: [],
    limitations: [],
    redactions: 0,
    warnings: [],
    sync: { isReceived: false },
  };
  store.run(
    `INSERT INTO reports (local_report_id, repository_root, state, created_at, details)
     VALUES (?, ?, 'scanning', ?, ?)`,
    localReportId,
    repositoryRoot,
    createdAt,
    JSON.stringify(details),
  );
  return { ...details, localReportId, repositoryRoot, createdAt, state: 'scanning' };
}

export function findReport(store: Store, localReportId: string): LocalReport | undefined {
  const row = store.get<ReportRow>(BY_ID, localReportId);
  return row && reportOf(store, row);
}

/** The reports whose id begins with the prefix, newest first. */
export function reportsByPrefix(store: Store, prefix: string): LocalReport[] {
  return store
    .all<ReportRow>(
      `SELECT ${COLUMNS} FROM reports WHERE substr(local_report_id, 1, ?) = ? ORDER BY number DESC`,
      prefix.length,
      prefix,
    )
    .map((row) => reportOf(store, row));
}

export interface ReportFilter {
  readonly repositoryRoot?: string;
  /** All states when absent. */
  readonly states?: readonly LocalReportState[];
}

/** Newest first by their order of creation, which does not depend on a clock. */
export function listReports(store: Store, filter: ReportFilter = {}): LocalReport[] {
  return rowsOf(store, filter, -1).map((row) => reportOf(store, row));
}

/** The newest report of a repository, in one of the states if they are given. */
export function latestReport(
  store: Store,
  repositoryRoot: string,
  states?: readonly LocalReportState[],
): LocalReport | undefined {
  const [row] = rowsOf(store, { repositoryRoot, ...(states && { states }) }, 1);
  return row && reportOf(store, row);
}

/** The newest earlier report of the same repository that was finished. */
export function previousReport(store: Store, localReportId: string): LocalReport | undefined {
  const row = store.get<ReportRow>(
    `SELECT ${COLUMNS} FROM reports AS earlier
     WHERE state IN ('finished', 'synced') AND EXISTS (
       SELECT 1 FROM reports AS later
       WHERE later.local_report_id = ? AND later.repository_root = earlier.repository_root
         AND later.number > earlier.number)
     ORDER BY number DESC LIMIT 1`,
    localReportId,
  );
  return row && reportOf(store, row);
}

/**
 * Changes details in one transaction.
 *
 * @throws CliError when the report does not exist.
 */
export function changeReport(
  store: Store,
  localReportId: string,
  change: (report: LocalReport) => Partial<ReportDetails>,
): LocalReport {
  return store.write(() => {
    const row = rowOf(store, localReportId);
    const report = reportOf(store, row);
    const changed = { ...report, ...change(report) };
    writeDetails(store, row.number, changed);
    return changed;
  });
}

/** Deletes a report with its findings, events, frozen report and lease; nothing of it stays in the file. */
export function deleteReport(store: Store, localReportId: string): boolean {
  const isDeleted = store.run('DELETE FROM reports WHERE local_report_id = ?', localReportId) > 0;
  if (isDeleted) store.forgetDeleted();
  return isDeleted;
}

/**
 * Deletes reports that are no longer needed: aborted and synced ones created before a time. The newest finished one of
 * each repository stays, because the next report carries over its decisions. A finished report that was not synced
 * stays too.
 *
 * @returns the deleted ids.
 */
export function pruneReports(store: Store, before: string): string[] {
  const gone = store.all<{ local_report_id: string }>(
    `DELETE FROM reports WHERE created_at < ? AND (state = 'aborted' OR state = 'synced' AND EXISTS (
       SELECT 1 FROM reports AS later
       WHERE later.repository_root = reports.repository_root AND later.number > reports.number
         AND later.state IN ('finished', 'synced')))
     RETURNING local_report_id`,
    before,
  );
  if (gone.length > 0) store.forgetDeleted();
  return gone.map((row) => row.local_report_id);
}

// The functions below are for the other files of this folder.

export function rowOf(store: Store, localReportId: string): ReportRow {
  const row = store.get<ReportRow>(BY_ID, localReportId);
  if (row !== undefined) return row;
  throw new CliError('failed', `There is no local report ${localReportId}.`, {
    hint: 'List them: svc report list',
  });
}

export function reportOf(store: Store, row: ReportRow): LocalReport {
  return {
    ...store.parsed<ReportDetails>(row.details),
    localReportId: row.local_report_id,
    repositoryRoot: row.repository_root,
    state: row.state,
    createdAt: row.created_at,
  };
}

export function writeDetails(store: Store, number: number, report: LocalReport): void {
  const { localReportId: _id, repositoryRoot: _root, state: _state, createdAt: _at, ...details } = report;
  store.run('UPDATE reports SET details = ? WHERE number = ?', JSON.stringify(details), number);
}

function rowsOf(store: Store, { repositoryRoot, states }: ReportFilter, countMax: number): ReportRow[] {
  const root = repositoryRoot ?? null;
  const wanted = states === undefined ? null : JSON.stringify(states);
  return store.all<ReportRow>(
    `SELECT ${COLUMNS} FROM reports
     WHERE (? IS NULL OR repository_root = ?)
       AND (? IS NULL OR state IN (SELECT value FROM json_each(?)))
     ORDER BY number DESC LIMIT ?`,
    root,
    root,
    wanted,
    wanted,
    countMax,
  );
}
