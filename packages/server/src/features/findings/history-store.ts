/** What happened to the findings of projects: a row for each day, and one for each fix. */
import { compiledOnce } from '#platform/database/compiled-once';
import type { Tx } from '#platform/database/database';
import type { FindingDaysTable, FindingFixesTable } from '#platform/database/schema';

const ROWS_AT_ONCE = 256;

/** Sets the open findings of a day, and adds to its counts of what happened. */
export async function addToDay(tx: Tx, row: FindingDaysTable): Promise<void> {
  const { projectId, day, critical, high, medium, low, info, opened, fixed, setAside } = row;
  // The columns are always in the same order, so that only one statement is compiled.
  await dayAdded(tx, { row: { projectId, day, critical, high, medium, low, info, opened, fixed, setAside } });
}

const dayAdded = compiledOnce((db, { row }: { row: FindingDaysTable }) =>
  db
    .insertInto('findingDays')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['projectId', 'day']).doUpdateSet((eb) => ({
        critical: eb.ref('excluded.critical'),
        high: eb.ref('excluded.high'),
        medium: eb.ref('excluded.medium'),
        low: eb.ref('excluded.low'),
        info: eb.ref('excluded.info'),
        opened: eb('findingDays.opened', '+', eb.ref('excluded.opened')),
        fixed: eb('findingDays.fixed', '+', eb.ref('excluded.fixed')),
        setAside: eb('findingDays.setAside', '+', eb.ref('excluded.setAside')),
      })),
    ),
);

export async function insertFixes(tx: Tx, rows: readonly FindingFixesTable[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await tx
      .insertInto('findingFixes')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict((conflict) => conflict.columns(['projectId', 'fixedAt', 'identity']).doNothing())
      .execute();
}
