/** Shares of reports, their principals, how often a report changed, and confirmed wrong guesses. */
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function shares(db: Kysely<any>, dialect: DialectName): Promise<void> {
  const bytes = dialect === 'postgres' ? 'bytea' : 'blob';

  await db.schema
    .alterTable('reports')
    .addColumn('overlayVersion', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();

  await db.schema
    .alterTable('throttleCounters')
    .addColumn('confirmed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();

  await db.schema
    .createTable('shares')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('reportId', 'text', (column) => column.notNull().references('reports.id').onDelete('cascade'))
    .addColumn('slugHash', sql.raw(bytes), (column) => column.notNull().unique())
    .addColumn('label', 'text')
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('passwordHash', 'text')
    .addColumn('anonymousAllowed', 'integer', (column) => column.notNull())
    .addColumn('defaultPolicy', 'text')
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('expiresAt', 'bigint')
    .addColumn('revokedAt', 'bigint')
    .addColumn('viewCount', 'integer', (column) => column.notNull())
    .addColumn('lastViewedAt', 'bigint')
    .addColumn('endedAt', 'bigint')
    .execute();
  await db.schema.createIndex('sharesByReport').on('shares').columns(['reportId', 'createdAt']).execute();
  await db.schema
    .createIndex('sharesToForget')
    .on('shares')
    .column('endedAt')
    .where(sql.ref('endedAt'), 'is not', null)
    .execute();

  await db.schema
    .createTable('sharePrincipals')
    .addColumn('shareId', 'text', (column) => column.notNull().references('shares.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('userId', 'text')
    .addColumn('label', 'text')
    .addColumn('policy', 'text')
    .addPrimaryKeyConstraint('sharePrincipalsByPosition', ['shareId', 'position'])
    .addUniqueConstraint('sharePrincipalsByValue', ['shareId', 'type', 'value'])
    .execute();
  await db.schema
    .createIndex('sharePrincipalsByAccount')
    .on('sharePrincipals')
    .columns(['shareId', 'type', 'userId'])
    .execute();
  await db.schema
    .createIndex('sharePrincipalsWithoutAccount')
    .on('sharePrincipals')
    .column('value')
    .where(sql.ref('type'), '=', 'email')
    .where(sql.ref('userId'), 'is', null)
    .execute();
}
