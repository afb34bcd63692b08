/**
 * Which process works on a report. One process at a time holds the lease. The lease of a dead process is free immediately if
 * its end is visible, and otherwise when no heartbeat came for a while. A process whose lease was taken over can neither
 * release nor renew it.
 *
 * The lease prevents two processes from sending or freezing the same report simultaneously. Findings can be added
 * without the lease, in transactions of their own.
 */
import { randomUUID } from 'node:crypto';
import { CliError } from '../errors.ts';
import { livenessOf, ownIdentity, type ProcessIdentity } from './processes.ts';
import { rowOf } from './reports.ts';
import type { Store } from './store.ts';
import { MINUTE_MS } from '../time.ts';

/** A lease lapses after this silence, if it is unknown whether its owner still runs. Renew it three times as often. */
export const LEASE_SILENCE_MS_MAX = MINUTE_MS;

export interface Lease {
  readonly localReportId: string;
  readonly token: string;
}

export interface LeaseOwner extends ProcessIdentity {
  readonly heartbeatAtMs: number;
}

interface LeaseRow {
  readonly token: string;
  readonly owner: string;
  readonly heartbeat_at_ms: number;
}

/** @returns undefined while the lease is held, even by this process. */
export function claim(store: Store, localReportId: string, nowMs: number): Lease | undefined {
  return store.write(() => {
    const { number } = rowOf(store, localReportId);
    if (holderOf(store, number, nowMs) !== undefined) return undefined;
    const token = randomUUID();
    store.run(
      'INSERT OR REPLACE INTO leases (report, token, owner, heartbeat_at_ms) VALUES (?, ?, ?, ?)',
      number,
      token,
      JSON.stringify(ownIdentity()),
      nowMs,
    );
    return { localReportId, token };
  });
}

/**
 * The heartbeat.
 * @returns false when the lease was lost.
 */
export function renew(store: Store, { token }: Lease, nowMs: number): boolean {
  return store.run('UPDATE leases SET heartbeat_at_ms = ? WHERE token = ?', nowMs, token) > 0;
}

export function release(store: Store, { token }: Lease): void {
  store.run('DELETE FROM leases WHERE token = ?', token);
}

/** The live process that holds a report's lease; undefined when none does. */
export function ownerOf(store: Store, localReportId: string, nowMs: number): LeaseOwner | undefined {
  return store.read(() => {
    const row = holderOf(store, rowOf(store, localReportId).number, nowMs);
    return row && { ...store.parsed<ProcessIdentity>(row.owner), heartbeatAtMs: row.heartbeat_at_ms };
  });
}

/**
 * Scans whose process died while it held the lease. Scans by single commands have no lease between two commands, and are not
 * included.
 *
 * @returns ids, oldest first.
 */
export function abandonedScans(store: Store, nowMs: number): string[] {
  return store.read(() =>
    store
      .all<{ number: number; local_report_id: string }>(
        `SELECT reports.number, reports.local_report_id FROM reports JOIN leases ON leases.report = reports.number
         WHERE reports.state = 'scanning' ORDER BY reports.number`,
      )
      .filter(({ number }) => holderOf(store, number, nowMs) === undefined)
      .map((row) => row.local_report_id),
  );
}

/**
 * Used for changes that need the lease, within the caller's transaction.
 * @param lease of the caller, if it has one.
 */
export function rejectIfHeld(store: Store, number: number, nowMs: number, lease?: Lease): void {
  const row = holderOf(store, number, nowMs);
  if (lease !== undefined && row?.token !== lease.token) {
    throw new CliError('failed', 'Another svc process took over this report.', {
      hint: 'Check its state: svc report list',
    });
  }
  if (row === undefined || row.token === lease?.token) return;
  const { pid } = store.parsed<ProcessIdentity>(row.owner);
  throw new CliError('failed', `Another svc (process ${pid}) is working on this report.`, {
    hint: 'Wait for it to end, and run this again.',
  });
}

function holderOf(store: Store, number: number, nowMs: number): LeaseRow | undefined {
  const row = store.get<LeaseRow>(
    'SELECT token, owner, heartbeat_at_ms FROM leases WHERE report = ?',
    number,
  );
  if (row === undefined) return undefined;
  const liveness = livenessOf(store.parsed<ProcessIdentity>(row.owner));
  if (liveness === 'dead') return undefined;
  // After a clock was set back, a heartbeat seems to come from the future; one from far in the future counts as silence.
  const isSilent = Math.abs(nowMs - row.heartbeat_at_ms) > LEASE_SILENCE_MS_MAX;
  return liveness === 'unknown' && isSilent ? undefined : row;
}
