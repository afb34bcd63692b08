/**
 * The hash chain of the audit log. Each entry contains a hash over its own content and the previous entry's hash. A
 * changed, removed, inserted or moved entry therefore breaks every later hash. The chain alone cannot detect that its
 * end was cut off; a head noted elsewhere can.
 *
 * The hash has no key. Anyone with a copy of the database can check the chain, and anyone who can write to the database
 * could recompute all later hashes. A head that was noted earlier detects that too.
 */
import { hash } from 'node:crypto';
import type { AuditLogTable } from '#platform/database/schema';

export type AuditRow = AuditLogTable;

/** The end of the log, or of a part of it. */
export interface Head {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

/** The head before the first entry. */
export const origin: Head = { sequence: 0, hash: new Uint8Array(32) };

/**
 * A hash over the row's sequence and content and the previous row's hash. Changing this format breaks every existing
 * log.
 */
export function hashOf(row: Omit<AuditRow, 'hash'>): Uint8Array {
  const content = JSON.stringify([
    'svc audit 1',
    row.sequence,
    row.id,
    row.at,
    row.action,
    row.actorId,
    row.workspaceId,
    row.reportId,
    row.subjectId,
    row.detail,
    Buffer.from(row.previousHash).toString('hex'),
  ]);
  return hash('sha256', content, 'buffer');
}

/** The entries as rows that continue the chain from a head. */
export function chained(
  after: Head,
  entries: readonly Omit<AuditRow, 'sequence' | 'previousHash' | 'hash'>[],
): AuditRow[] {
  let last = after;
  return entries.map((entry) => {
    const row = { ...entry, sequence: last.sequence + 1, previousHash: last.hash };
    last = { sequence: row.sequence, hash: hashOf(row) };
    return { ...row, hash: last.hash };
  });
}

/** What is wrong with a row that should follow the head; null when it does follow. */
export function faultOf(last: Head, row: AuditRow): string | null {
  if (row.sequence > last.sequence + 1) {
    const missing = last.sequence + 1;
    return row.sequence === missing + 1
      ? `entry ${missing} is missing`
      : `entries ${missing} to ${row.sequence - 1} are missing`;
  }
  if (!isSame(row.previousHash, last.hash)) {
    return last.sequence === 0
      ? `entry ${row.sequence} is not the one that the log began with: entries before it were removed, inserted or moved`
      : `entry ${row.sequence} is not the one that was written after entry ${last.sequence}: entries were changed, removed, inserted or moved`;
  }
  if (!isSame(row.hash, hashOf(row))) return `entry ${row.sequence} was changed`;
  return null;
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
