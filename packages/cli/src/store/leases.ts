/**
 * Who works on a report. One process at a time holds it; the lease of one that died is free at once where that can be
 * seen, and otherwise when no heartbeat came for a while. A lease that was taken over is not given back or renewed by
 * the one that lost it.
 *
 * It keeps two from sending or freezing one report at once. It does not keep findings out: those are safe anyway.
 */
import { randomUUID } from 'node:crypto';
import { CliError } from '../errors.ts';
import { livenessOf, ownIdentity, type ProcessIdentity } from './processes.ts';
import { rowOf } from './reports.ts';
import type { Store } from './store.ts';

/** Renew three times as often. Counts only where nobody can see whether the owner lives. */
export const LEASE_SILENCE_MS_MAX = 60_000;

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

/** @returns undefined while another live process holds it. */
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

/** The heartbeat. @returns false when the lease was lost. */
export function renew(store: Store, { token }: Lease, nowMs: number): boolean {
  return store.run('UPDATE leases SET heartbeat_at_ms = ? WHERE token = ?', nowMs, token) > 0;
}

export function release(store: Store, { token }: Lease): void {
  store.run('DELETE FROM leases WHERE token = ?', token);
}

/** The live process that holds a report; undefined when none does. */
export function ownerOf(store: Store, localReportId: string, nowMs: number): LeaseOwner | undefined {
  return store.read(() => {
    const row = holderOf(store, rowOf(store, localReportId).number, nowMs);
    return row && { ...store.parsed<ProcessIdentity>(row.owner), heartbeatAtMs: row.heartbeat_at_ms };
  });
}

/**
 * Scans that a process held until it died. Those that are worked on command by command are held by nobody between two
 * commands, and are not among them.
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
 * For what no other process may do meanwhile; within its transaction.
 *
 * @param lease of the caller, when it has one.
 */
export function refuseIfHeld(store: Store, number: number, nowMs: number, lease?: Lease): void {
  const row = holderOf(store, number, nowMs);
  if (lease !== undefined && row?.token !== lease.token) {
    throw new CliError('failed', 'Another svc has taken over this report.', {
      hint: 'See how it stands: svc report list',
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
  // A clock set back makes a heartbeat seem to come from the future; one from far there counts as silence.
  const isSilent = Math.abs(nowMs - row.heartbeat_at_ms) > LEASE_SILENCE_MS_MAX;
  return liveness === 'unknown' && isSilent ? undefined : row;
}
