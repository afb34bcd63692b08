/** What happened to the findings of each tool of a project: a row for each tool and day on which something changed. */
import { compiledOnce } from '#platform/database/compiled-once';
import type { Tx } from '#platform/database/database';
import type { ProjectFindingsTable, FindingToolDaysTable } from '#platform/database/schema';

const ROWS_AT_ONCE = 64;

/** The rows of a project for a day. */
export async function listToolDays(tx: Tx, projectId: string, day: string): Promise<FindingToolDaysTable[]> {
  return toolDaysOn(tx, { projectId, day });
}

const toolDaysOn = compiledOnce((db, { projectId, day }: { projectId: string; day: string }) =>
  db.selectFrom('findingToolDays').selectAll().where('projectId', '=', projectId).where('day', '=', day),
);

/** Sets the open findings of each row, and adds to its counts of what happened. */
export async function addToToolDays(tx: Tx, rows: readonly FindingToolDaysTable[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await tx
      .insertInto('findingToolDays')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict.columns(['projectId', 'day', 'tool']).doUpdateSet((eb) => ({
          critical: eb.ref('excluded.critical'),
          high: eb.ref('excluded.high'),
          medium: eb.ref('excluded.medium'),
          low: eb.ref('excluded.low'),
          info: eb.ref('excluded.info'),
          opened: eb('findingToolDays.opened', '+', eb.ref('excluded.opened')),
          fixed: eb('findingToolDays.fixed', '+', eb.ref('excluded.fixed')),
          setAside: eb('findingToolDays.setAside', '+', eb.ref('excluded.setAside')),
        })),
      )
      .execute();
}

/** Open findings of a project that have the same tool and severity. */
export type OpenGroup = Pick<ProjectFindingsTable, 'tool' | 'presentSeverity'> & {
  readonly count: number;
};

export async function listOpenGroups(tx: Tx, projectId: string): Promise<OpenGroup[]> {
  return tx
    .selectFrom('projectFindings')
    .select(['tool', 'presentSeverity', ({ fn }) => fn.countAll<number>().as('count')])
    .where('projectId', '=', projectId)
    .where('isOpen', '=', 1)
    .groupBy(['tool', 'presentSeverity'])
    .execute();
}

/**
 * Deletes the rows of days before this one, except each tool's last row while it has open findings: the days after it
 * begin with them.
 */
export async function forgetToolDays(tx: Tx, before: string): Promise<void> {
  await tx
    .deleteFrom('findingToolDays')
    .where('day', '<', before)
    .where(({ eb, exists, selectFrom, and }) =>
      eb.or([
        exists(
          selectFrom('findingToolDays as later')
            .select('later.day')
            .whereRef('later.projectId', '=', 'findingToolDays.projectId')
            .whereRef('later.tool', '=', 'findingToolDays.tool')
            .whereRef('later.day', '>', 'findingToolDays.day')
            .where('later.day', '<=', before),
        ),
        and([
          eb('critical', '=', 0),
          eb('high', '=', 0),
          eb('medium', '=', 0),
          eb('low', '=', 0),
          eb('info', '=', 0),
        ]),
      ]),
    )
    .execute();
}
