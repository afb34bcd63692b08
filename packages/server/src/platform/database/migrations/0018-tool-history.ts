/** How many findings of each tool were open on each day, and which tools found what was fixed. Tools are keyed digests. */
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

const counts = ['critical', 'high', 'medium', 'low', 'info', 'opened', 'fixed', 'setAside'] as const;

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function toolHistory(db: Kysely<any>, dialect: DialectName): Promise<void> {
  const bytes = sql.raw(dialect === 'postgres' ? 'bytea' : 'blob');
  let table = db.schema
    .createTable('findingToolDays')
    .addColumn('projectId', 'text', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('tool', bytes, (column) => column.notNull());
  for (const count of counts) table = table.addColumn(count, 'integer', (column) => column.notNull());
  await table.addPrimaryKeyConstraint('findingToolDaysKey', ['projectId', 'day', 'tool']).execute();
  await db.schema.createIndex('findingToolDaysByDay').on('findingToolDays').column('day').execute();
  await db.schema.alterTable('findingFixes').addColumn('tools', bytes).execute();
}
