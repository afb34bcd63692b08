/** How often entries of the audit log were repeated. Counts are stored beside the log, and only rise. */
import type { Db, Tx } from '#platform/database/database';
import type { AuditCountsTable } from '#platform/database/schema';

export interface Repeat {
  readonly repeatKey: string;
  readonly by: number;
  /** The entry was created between these times, both excluded. */
  readonly after: number;
  readonly before: number;
}

/** Raises the count of the newest entry with this key in this period. False when there is none. */
export async function raiseCount(db: Db, { repeatKey, by, after, before }: Repeat): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('auditCounts')
    .set(({ eb }) => ({ count: eb('count', '+', by) }))
    .where('sequence', '=', ({ selectFrom }) =>
      selectFrom('auditCounts as same')
        .select(({ fn }) => fn.max('same.sequence').as('newest'))
        .where('same.repeatKey', '=', repeatKey)
        .where('same.startedAt', '>', after)
        .where('same.startedAt', '<', before),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function insertCounts(tx: Tx, rows: readonly AuditCountsTable[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('auditCounts').values(rows).execute();
}
