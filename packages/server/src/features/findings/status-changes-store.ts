/** The moves of findings in a report: decisions and their ends. */
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import type { StatusChangesTable } from '#platform/database/schema';

export type StatusChangeRow = StatusChangesTable;

const ROWS_AT_ONCE_MAX = 256;
const READ_AT_ONCE_MAX = 512;

export async function insertStatusChanges(tx: Tx, moves: readonly StatusChangeRow[]): Promise<void> {
  for (let from = 0; from < moves.length; from += ROWS_AT_ONCE_MAX)
    await tx
      .insertInto('statusChanges')
      .values(moves.slice(from, from + ROWS_AT_ONCE_MAX))
      .execute();
}

/** The moves of a report, or of some of its findings; those of a finding oldest first. */
export async function listStatusChanges(
  db: Db,
  reportId: string,
  findingIds?: readonly string[],
): Promise<StatusChangeRow[]> {
  if (findingIds === undefined) return changesOfReport(db, { reportId });
  const rows: StatusChangeRow[] = [];
  for (let at = 0; at < findingIds.length; at += READ_AT_ONCE_MAX)
    rows.push(
      ...(await db
        .selectFrom('statusChanges')
        .selectAll()
        .where('reportId', '=', reportId)
        .where('findingId', 'in', findingIds.slice(at, at + READ_AT_ONCE_MAX))
        .orderBy('findingId')
        .orderBy('number')
        .execute()),
    );
  return rows;
}

const changesOfReport = compiledOnce((db, { reportId }: { reportId: string }) =>
  db
    .selectFrom('statusChanges')
    .selectAll()
    .where('reportId', '=', reportId)
    .orderBy('findingId')
    .orderBy('number'),
);

export async function forgetStatusChanges(tx: Tx, reportIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('statusChanges').where('reportId', 'in', reportIds).execute();
}
