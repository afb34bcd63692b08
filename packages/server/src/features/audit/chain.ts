/**
 * The chain of the audit log: each entry holds a hash over its own content and the hash of the entry before it, so none can
 * be changed, taken out, put in or moved without every later hash telling. What the chain can not tell by itself is that its
 * end was cut off; a head that was noted elsewhere does.
 *
 * The hash has no key: whoever holds a copy of the database can check it, and whoever may write to the database could make
 * all later hashes anew. That too shows against a head noted before.
 */
import { hash } from 'node:crypto';
import type { AuditLogTable } from '#platform/database/schema';

export type AuditRow = AuditLogTable;

/** The end of the log, or of a part of it. */
export interface Head {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

/** Before the first entry. */
export const origin: Head = { sequence: 0, hash: new Uint8Array(32) };

/** Over the row's place and content and the hash of the row before. A change of this form breaks every log there is. */
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

/** The entries as the rows that follow a head. */
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

/** What is wrong with a row that should follow the head; null when it does. */
export function faultOf(last: Head, row: AuditRow): string | null {
  if (row.sequence > last.sequence + 1) {
    const missing = last.sequence + 1;
    return row.sequence === missing + 1
      ? `entry ${missing} is missing`
      : `entries ${missing} to ${row.sequence - 1} are missing`;
  }
  if (!isSame(row.previousHash, last.hash)) {
    return last.sequence === 0
      ? `entry ${row.sequence} is not the one that the log began with: what came before it was taken out, or others were put in or moved`
      : `entry ${row.sequence} is not the one that was written after entry ${last.sequence}: entries there were changed, taken out, put in or moved`;
  }
  if (!isSame(row.hash, hashOf(row))) return `entry ${row.sequence} was changed`;
  return null;
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
