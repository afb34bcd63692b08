/** How often an audit entry was repeated within a short time. Stored beside the log, whose rows never change. */
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function auditCounts(db: Kysely<any>, dialect: DialectName): Promise<void> {
  await db.schema
    .createTable('auditCounts')
    .addColumn('sequence', dialect === 'postgres' ? 'bigint' : 'integer', (column) => column.primaryKey())
    .addColumn('repeatKey', 'text', (column) => column.notNull())
    .addColumn('startedAt', 'bigint', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('auditCountsByKey')
    .on('auditCounts')
    .columns(['repeatKey', 'startedAt'])
    .execute();
  for (const statement of risingOnly[dialect]) await sql.raw(statement).execute(db);
}

/** Protects against mistakes of a program, as for the log itself. */
const risingOnly: Readonly<Record<DialectName, readonly string[]>> = {
  sqlite: [
    `create trigger audit_counts_only_rise before update on audit_counts when new.count <= old.count or new.sequence <> old.sequence begin select raise(abort, 'the counts of the audit log only rise'); end`,
    `create trigger audit_counts_stay before delete on audit_counts begin select raise(abort, 'the counts of the audit log only rise'); end`,
  ],
  postgres: [
    `create function refuse_change_of_audit_counts() returns trigger language plpgsql as $$ begin raise exception 'the counts of the audit log only rise'; end $$`,
    `create trigger audit_counts_only_rise before update on audit_counts for each row when (new.count <= old.count or new.sequence <> old.sequence) execute function refuse_change_of_audit_counts()`,
    `create trigger audit_counts_stay before delete or truncate on audit_counts for each statement execute function refuse_change_of_audit_counts()`,
  ],
};
