/** What a share says about itself to its viewers, who created it, and how often its policies changed. */
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function shareCovers(db: Kysely<any>, dialect: DialectName): Promise<void> {
  const bytes = dialect === 'postgres' ? 'bytea' : 'blob';
  await db.schema.alterTable('shares').addColumn('createdBy', 'text').execute();
  await db.schema.alterTable('shares').addColumn('message', sql.raw(bytes)).execute();
  await db.schema
    .alterTable('shares')
    .addColumn('showSender', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('shares')
    .addColumn('policyVersion', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // Before this migration, only owners of reports could create shares.
  await db
    .updateTable('shares')
    .set((eb) => ({
      createdBy: eb.selectFrom('reports').select('ownerId').whereRef('reports.id', '=', 'shares.reportId'),
    }))
    .where('endedAt', 'is', null)
    .execute();
}
