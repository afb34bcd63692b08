/** The append-only audit log, support grants, and the record of support reads. */
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function administration(db: Kysely<any>, dialect: DialectName): Promise<void> {
  await makeAuditLog(db, dialect);
  for (const statement of triggersAgainstChanges[dialect]) await sql.raw(statement).execute(db);

  await db.schema
    .alterTable('reports')
    .addColumn('supportAccesses', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('supportGrants')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('reportId', 'text', (column) => column.notNull().references('reports.id').onDelete('cascade'))
    .addColumn('administratorId', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('expiresAt', 'bigint', (column) => column.notNull())
    .addColumn('revokedAt', 'bigint')
    .addColumn('uses', 'integer', (column) => column.notNull())
    .addColumn('lastUsedAt', 'bigint')
    .execute();
  await db.schema.createIndex('supportGrantsByReport').on('supportGrants').column('reportId').execute();
  await db.schema
    .createTable('supportUses')
    .addColumn('grantId', 'text', (column) =>
      column.notNull().references('supportGrants.id').onDelete('cascade'),
    )
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('usedAt', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('supportUsesByGrant', ['grantId', 'number'])
    .execute();

  // Used to count active shares without reading their policies.
  await db.schema
    .createIndex('sharesNotRevoked')
    .on('shares')
    .column('expiresAt')
    .where(sql.ref('revokedAt'), 'is', null)
    .where(sql.ref('endedAt'), 'is', null)
    .execute();
}

// oxlint-disable-next-line no-explicit-any -- as above
async function makeAuditLog(db: Kysely<any>, dialect: DialectName): Promise<void> {
  const bytes = dialect === 'postgres' ? 'bytea' : 'blob';
  // Has no foreign keys: an entry stays when its subject is deleted.
  await db.schema
    .createTable('auditLog')
    .addColumn('sequence', dialect === 'postgres' ? 'bigint' : 'integer', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('actorId', 'text')
    .addColumn('workspaceId', 'text')
    .addColumn('reportId', 'text')
    .addColumn('subjectId', 'text')
    .addColumn('detail', 'text')
    .addColumn('previousHash', sql.raw(bytes), (column) => column.notNull())
    .addColumn('hash', sql.raw(bytes), (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('auditLogByWorkspace')
    .on('auditLog')
    .columns(['workspaceId', 'sequence'])
    .execute();
}

/** The triggers protect against mistakes of a program. The hash chain reveals changes by the owner of the database. */
const triggersAgainstChanges: Readonly<Record<DialectName, readonly string[]>> = {
  sqlite: ['update', 'delete'].map(
    (change) =>
      `create trigger audit_log_refuses_${change} before ${change} on audit_log begin select raise(abort, 'the audit log is only added to'); end`,
  ),
  postgres: [
    `create function refuse_change_of_audit_log() returns trigger language plpgsql as $$ begin raise exception 'the audit log is only added to'; end $$`,
    `create trigger audit_log_refuses_changes before update or delete or truncate on audit_log for each statement execute function refuse_change_of_audit_log()`,
  ],
};
