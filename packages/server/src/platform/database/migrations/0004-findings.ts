/** What the service stores to follow the findings of a project from report to report, and triage decisions. */
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function findings(db: Kysely<any>, dialect: DialectName): Promise<void> {
  const bytes = dialect === 'postgres' ? 'bytea' : 'blob';

  await db.schema.alterTable('uploads').addColumn('findingSnapshots', sql.raw(bytes)).execute();

  // Has no hidden row id, unlike other SQLite tables, because rows are found by the primary key.
  const identities = db.schema
    .createTable('projectFindings')
    .addColumn('projectId', 'text', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('identity', sql.raw(bytes), (column) => column.notNull())
    .addColumn('firstSeenAt', 'bigint', (column) => column.notNull())
    .addColumn('lastSeenAt', 'bigint', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('statusAt', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('projectFindingsKey', ['projectId', 'identity']);
  await (dialect === 'sqlite' ? identities.modifyEnd(sql`without rowid`) : identities).execute();
  await db.schema
    .createIndex('projectFindingsByLastSeen')
    .on('projectFindings')
    .column('lastSeenAt')
    .execute();

  await db.schema
    .createTable('statusChanges')
    .addColumn('reportId', 'text', (column) => column.notNull().references('reports.id').onDelete('cascade'))
    .addColumn('findingId', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('userId', 'text', (column) => column.notNull())
    .addColumn('changedAt', 'bigint', (column) => column.notNull())
    .addColumn('fromStatus', 'text', (column) => column.notNull())
    .addColumn('toStatus', 'text', (column) => column.notNull())
    .addColumn('action', 'text')
    .addPrimaryKeyConstraint('statusChangesByFinding', ['reportId', 'findingId', 'number'])
    .execute();
}
