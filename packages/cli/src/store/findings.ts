/** The findings of a report, read and changed as one set. */
import type { Finding } from '@svc/contract';
import type { FindingSet } from '@svc/report';
import { CliError } from '../errors.ts';
import { appendEvents, type NewEvent } from './events.ts';
import type { LocalReport, ReportDetails } from './local-report.ts';
import { reportOf, rowOf, writeDetails } from './reports.ts';
import type { Store } from './store.ts';

/** A change of a report together with its findings; absent fields stay unchanged. */
export interface FindingsChange<Result> {
  readonly set: FindingSet;
  readonly details?: Partial<ReportDetails>;
  readonly events?: readonly NewEvent[];
  readonly result: Result;
}

export function findingsOf(store: Store, localReportId: string): FindingSet {
  return store.read(() => {
    const { number, last_finding_number: lastNumber } = rowOf(store, localReportId);
    return { findings: readFindings(store, number), lastNumber };
  });
}

/**
 * Reads the findings, calls `change`, and writes what changed, in one transaction. Findings that are the same objects are
 * not written again.
 *
 * @param change must not wait for anything, because other processes wait for it.
 * @throws CliError when the report does not exist, or is not `scanning`.
 */
export function changeFindings<Result>(
  store: Store,
  localReportId: string,
  change: (set: FindingSet, report: LocalReport) => FindingsChange<Result>,
): Result {
  return store.write(() => {
    const row = rowOf(store, localReportId);
    const report = reportOf(store, row);
    if (report.state !== 'scanning') throw notScanning(report);
    const before = { findings: readFindings(store, row.number), lastNumber: row.last_finding_number };
    const changed = change(before, report);
    applyChange(store, row.number, report, before, changed);
    return changed.result;
  });
}

export function notScanning({ localReportId, state }: LocalReport): CliError {
  return new CliError('failed', `The report ${localReportId} is ${state} and cannot be changed.`, {
    hint: 'Start another one: svc scan start',
  });
}

export function countFindings(store: Store, localReportId: string): number {
  const { number } = rowOf(store, localReportId);
  const row = store.get<{ count: number }>('SELECT count(*) AS count FROM findings WHERE report = ?', number);
  return row?.count ?? 0;
}

/** Used by this file and freezing.ts, within a transaction. */
export function applyChange(
  store: Store,
  number: number,
  report: LocalReport,
  before: FindingSet,
  { set, details, events = [] }: Omit<FindingsChange<unknown>, 'result'>,
): void {
  for (const [position, finding] of set.findings.entries()) {
    if (finding === before.findings[position]) continue;
    store.run(
      'INSERT OR REPLACE INTO findings (report, position, body) VALUES (?, ?, ?)',
      number,
      position,
      JSON.stringify(finding),
    );
  }
  if (set.findings.length < before.findings.length)
    store.run('DELETE FROM findings WHERE report = ? AND position >= ?', number, set.findings.length);
  if (set.lastNumber !== before.lastNumber)
    store.run('UPDATE reports SET last_finding_number = ? WHERE number = ?', set.lastNumber, number);
  if (details !== undefined) writeDetails(store, number, { ...report, ...details });
  appendEvents(store, report.localReportId, events);
}

export function readFindings(store: Store, number: number): Finding[] {
  return store
    .all<{ body: string }>('SELECT body FROM findings WHERE report = ? ORDER BY position', number)
    .map(({ body }) => store.parsed<Finding>(body));
}
