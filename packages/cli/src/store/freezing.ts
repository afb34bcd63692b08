/**
 * The end of a scan: the frozen body, stored beside the findings from which it was written. Both change in one transaction,
 * so a frozen report always agrees with its findings.
 */
import { createHash } from 'node:crypto';
import type { FindingSet } from '@svc/report';
import { CliError } from '../errors.ts';
import { applyChange, notScanning, readFindings, type FindingsChange } from './findings.ts';
import { rejectIfHeld, type Lease } from './leases.ts';
import type { LocalReport, LocalReportState } from './local-report.ts';
import { reportOf, rowOf } from './reports.ts';
import type { Store } from './store.ts';

/** The canonical report as JSON in UTF-8, and what else changes together with it. */
export interface Freezing<Result> extends FindingsChange<Result> {
  readonly bytes: Uint8Array;
}

export interface FreezeOptions {
  /** RFC 3339, UTC. */
  readonly at: string;
  /** The caller's lease. Without one, a live process with the lease prevents the change. */
  readonly lease?: Lease;
}

export interface FrozenReport {
  readonly bytes: Uint8Array;
  /** 64 lower-case hexadecimal characters. */
  readonly sha256: string;
  readonly frozenAt: string;
}

type Make<Result> = (set: FindingSet, report: LocalReport) => Freezing<Result>;

/**
 * `scanning` → `finished`. Of two concurrent calls, one finishes the report.
 *
 * @param make must not wait for anything; if it throws, the report is unchanged.
 * @throws CliError when the report is not `scanning`, or another live process has its lease.
 */
export function freeze<Result>(
  store: Store,
  localReportId: string,
  make: Make<Result>,
  options: FreezeOptions,
): Result {
  return store.write(() => {
    const report = held(store, localReportId, options);
    if (report.state !== 'scanning') throw notScanning(report);
    moveTo(store, localReportId, 'finished');
    return replace(store, localReportId, make, options);
  });
}

/**
 * Writes the body of a `finished` report again, after a change. An upload that was begun is discarded, since it was declared
 * for other bytes.
 *
 * @throws CliError when the report is not `finished`, or another live process has its lease.
 */
export function refreeze<Result>(
  store: Store,
  localReportId: string,
  make: Make<Result>,
  options: FreezeOptions,
): Result {
  return store.write(() => {
    const report = held(store, localReportId, options);
    if (report.state !== 'finished') throw notFinished(report);
    return replace(store, localReportId, make, options);
  });
}

/**
 * `scanning` → `aborted`.
 *
 * @throws CliError when the report is not `scanning`, or another live process has its lease.
 */
export function abort(
  store: Store,
  localReportId: string,
  change: Pick<FindingsChange<unknown>, 'details' | 'events'>,
  options: FreezeOptions,
): void {
  store.write(() => {
    const report = held(store, localReportId, options);
    if (report.state !== 'scanning') throw notScanning(report);
    moveTo(store, localReportId, 'aborted');
    const { number, last_finding_number: lastNumber } = rowOf(store, localReportId);
    const set = { findings: readFindings(store, number), lastNumber };
    applyChange(store, number, report, set, { ...change, set });
  });
}

export function frozenReport(store: Store, localReportId: string): FrozenReport | undefined {
  const row = store.get<{ body: Uint8Array; sha256: string; frozen_at: string }>(
    `SELECT frozen.body, frozen.sha256, frozen.frozen_at
     FROM frozen JOIN reports ON reports.number = frozen.report WHERE reports.local_report_id = ?`,
    localReportId,
  );
  return row && { bytes: row.body, sha256: row.sha256, frozenAt: row.frozen_at };
}

/** Used by this file and sync-state.ts, within a transaction. */
export function moveTo(store: Store, localReportId: string, state: LocalReportState): void {
  store.run('UPDATE reports SET state = ? WHERE local_report_id = ?', state, localReportId);
}

export function frozenSha256(store: Store, localReportId: string): string | undefined {
  const row = store.get<{ sha256: string }>(
    'SELECT sha256 FROM frozen JOIN reports ON reports.number = frozen.report WHERE reports.local_report_id = ?',
    localReportId,
  );
  return row?.sha256;
}

function held(store: Store, localReportId: string, { at, lease }: FreezeOptions): LocalReport {
  const row = rowOf(store, localReportId);
  rejectIfHeld(store, row.number, Date.parse(at), lease);
  return reportOf(store, row);
}

function replace<Result>(
  store: Store,
  localReportId: string,
  make: Make<Result>,
  { at }: FreezeOptions,
): Result {
  const row = rowOf(store, localReportId);
  const report = reportOf(store, row);
  const before = { findings: readFindings(store, row.number), lastNumber: row.last_finding_number };
  const { bytes, result, ...change } = make(before, report);
  const { uploadId: _id, uploadSha256: _sha256, ...sync } = change.details?.sync ?? report.sync;
  applyChange(store, row.number, report, before, {
    ...change,
    details: { ...change.details, sync: { ...sync, isReceived: false } },
  });
  store.run(
    'INSERT OR REPLACE INTO frozen (report, body, sha256, frozen_at) VALUES (?, ?, ?, ?)',
    row.number,
    bytes,
    createHash('sha256').update(bytes).digest('hex'),
    at,
  );
  return result;
}

function notFinished({ localReportId, state }: LocalReport): CliError {
  const hints = {
    scanning: `End the scan first: svc scan finish --report ${localReportId}`,
    finished: undefined,
    synced:
      'A report that was sent can be changed only on its page: svc open. For the gates of this machine, change the next report: svc scan --no-sync',
    aborted: 'Start another one: svc scan start',
  };
  const hint = hints[state];
  return new CliError(
    'failed',
    `The report ${localReportId} is ${state}.`,
    hint === undefined ? {} : { hint },
  );
}
