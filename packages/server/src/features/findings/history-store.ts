/** What happened to the findings of projects: a row for each day, and one for each fix. */
import type { SeverityCounts } from '@svc/contract';
import type { Tx } from '#platform/database/database';
import type { FindingDaysTable, FindingFixesTable } from '#platform/database/schema';

const ROWS_AT_ONCE = 256;

/** Sets the state of a day, and adds what happened. */
export async function addToDay(tx: Tx, row: FindingDaysTable): Promise<void> {
  const { critical, high, medium, low, info }: SeverityCounts = row;
  await tx
    .insertInto('findingDays')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['projectId', 'day']).doUpdateSet((eb) => ({
        critical,
        high,
        medium,
        low,
        info,
        opened: eb('findingDays.opened', '+', row.opened),
        fixed: eb('findingDays.fixed', '+', row.fixed),
        setAside: eb('findingDays.setAside', '+', row.setAside),
      })),
    )
    .execute();
}

export async function insertFixes(tx: Tx, rows: readonly FindingFixesTable[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await tx
      .insertInto('findingFixes')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict((conflict) => conflict.columns(['projectId', 'fixedAt', 'identity']).doNothing())
      .execute();
}

/** Deletes the fix that a decision made, and returns whether there was one. */
export async function deleteFix(
  tx: Tx,
  { projectId, fixedAt, identity }: Pick<FindingFixesTable, 'projectId' | 'fixedAt' | 'identity'>,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('findingFixes')
    .where('projectId', '=', projectId)
    .where('fixedAt', '=', fixedAt)
    .where('identity', '=', identity)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
