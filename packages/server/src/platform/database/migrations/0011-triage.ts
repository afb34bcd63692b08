/**
 * Triage decisions with their reasons and ends, and which findings of a project are present. Stores only enum values,
 * times, counts and keyed digests; a note is sealed under a key of its project. After its start, the service fills in
 * which findings are present.
 */
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
type Untyped = Kysely<any>;

export async function triage(db: Untyped, dialect: DialectName): Promise<void> {
  const bytes = sql.raw(dialect === 'postgres' ? 'bytea' : 'blob');
  await addColumns(db, bytes);

  await db.schema
    .createTable('findingDecisions')
    .addColumn('projectId', 'text', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('identity', bytes, (column) => column.notNull())
    .addColumn('reportId', 'text', (column) => column.notNull())
    .addColumn('findingId', 'text', (column) => column.notNull())
    .addColumn('userId', 'text', (column) => column.notNull())
    .addColumn('decidedAt', 'bigint', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('until', 'bigint')
    .addColumn('note', bytes)
    .addColumn('undoId', 'text', (column) => column.notNull())
    .addColumn('previousStatus', 'text')
    .addColumn('previousSeverity', 'text')
    .addColumn('previousDecision', 'integer')
    .addPrimaryKeyConstraint('findingDecisionsKey', ['projectId', 'number'])
    .execute();
  await db.schema
    .createIndex('findingDecisionsByFinding')
    .on('findingDecisions')
    .columns(['projectId', 'identity', 'number'])
    .execute();
  await db.schema.createIndex('findingDecisionsByUndo').on('findingDecisions').column('undoId').execute();

  await db.schema
    .createTable('findingDays')
    .addColumn('projectId', 'text', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('critical', 'integer', (column) => column.notNull())
    .addColumn('high', 'integer', (column) => column.notNull())
    .addColumn('medium', 'integer', (column) => column.notNull())
    .addColumn('low', 'integer', (column) => column.notNull())
    .addColumn('info', 'integer', (column) => column.notNull())
    .addColumn('opened', 'integer', (column) => column.notNull())
    .addColumn('fixed', 'integer', (column) => column.notNull())
    .addColumn('setAside', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('findingDaysKey', ['projectId', 'day'])
    .execute();

  await db.schema
    .createTable('findingFixes')
    .addColumn('projectId', 'text', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('fixedAt', 'bigint', (column) => column.notNull())
    .addColumn('identity', bytes, (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('firstSeenAt', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('findingFixesKey', ['projectId', 'fixedAt', 'identity'])
    .execute();
}

async function addColumns(db: Untyped, bytes: ReturnType<typeof sql.raw>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable('projects')
    .addColumn('reportsCounted', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable('projects')
    .addColumn('decisionsMade', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('projects').addColumn('lapsesAt', 'bigint').execute();
  await schema.alterTable('projects').addColumn('notesKey', bytes).execute();
  await schema
    .alterTable('projects')
    .addColumn('notesToCheck', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();

  await schema.alterTable('reports').addColumn('countedAs', 'integer').execute();
  await schema.alterTable('reports').addColumn('lapsesAt', 'bigint').execute();
  await schema.alterTable('uploads').addColumn('findingFacts', bytes).execute();
  await schema.alterTable('preparedProjections').addColumn('lapsesAt', 'bigint').execute();
  await schema
    .alterTable('statusChanges')
    .addColumn('decision', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('statusChanges').addColumn('until', 'bigint').execute();
  await schema
    .alterTable('statusChanges')
    .addColumn('isLapse', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();

  await schema.alterTable('projectFindings').addColumn('until', 'bigint').execute();
  await schema.alterTable('projectFindings').addColumn('decision', 'integer').execute();
  for (const flag of ['present', 'isOpen', 'isWeak', 'isHeld'])
    await schema
      .alterTable('projectFindings')
      .addColumn(flag, 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  await schema.alterTable('projectFindings').addColumn('presentFrom', 'integer').execute();
  await schema.alterTable('projectFindings').addColumn('presentSeverity', 'text').execute();
  await schema.alterTable('projectFindings').addColumn('tool', bytes).execute();
  await schema.alterTable('projectFindings').addColumn('areas', bytes).execute();

  await schema
    .createIndex('projectFindingsByLapse')
    .on('projectFindings')
    .columns(['projectId', 'until'])
    .where(sql.ref('until'), 'is not', null)
    .execute();
  await schema
    .createIndex('projectsByLapse')
    .on('projects')
    .column('lapsesAt')
    .where(sql.ref('lapsesAt'), 'is not', null)
    .execute();
  await schema
    .createIndex('projectsWithNotesToCheck')
    .on('projects')
    .column('id')
    .where(sql<boolean>`notes_to_check = 1`)
    .execute();
  await schema
    .createIndex('reportsByLapse')
    .on('reports')
    .column('lapsesAt')
    .where(sql.ref('lapsesAt'), 'is not', null)
    .execute();
  await schema
    .createIndex('reportsToCount')
    .on('reports')
    .column('projectId')
    .where(sql<boolean>`state = 'finalized' and counted_as is null`)
    .execute();
}
