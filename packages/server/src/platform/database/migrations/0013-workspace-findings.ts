/**
 * The texts of findings, for lists over many reports. Uploads of older versions get theirs when a list first needs
 * them.
 */
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
type Untyped = Kysely<any>;

export async function workspaceFindings(db: Untyped, dialect: DialectName): Promise<void> {
  const bytes = dialect === 'postgres' ? 'bytea' : 'blob';
  await db.schema.alterTable('uploads').addColumn('findingTexts', sql.raw(bytes)).execute();
  await db.schema
    .alterTable('projects')
    .addColumn('findingsVersion', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
