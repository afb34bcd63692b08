/** Product analytics: daily counts, and digests of the events that were counted. Neither names an account. */
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function analytics(db: Kysely<any>, dialect: DialectName): Promise<void> {
  const bytes = dialect === 'postgres' ? 'bytea' : 'blob';
  await db.schema
    .createTable('analyticsCounts')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('surface', 'text', (column) => column.notNull())
    .addColumn('format', 'text', (column) => column.notNull())
    .addColumn('clientVersion', 'text', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('analyticsCountsKey', ['day', 'name', 'surface', 'format', 'clientVersion'])
    .execute();

  // Has no hidden row id, unlike other SQLite tables, because it would reveal the order of events.
  const seen = db.schema
    .createTable('analyticsSeen')
    .addColumn('digest', sql.raw(bytes), (column) => column.primaryKey())
    .addColumn('day', 'text', (column) => column.notNull());
  await (dialect === 'sqlite' ? seen.modifyEnd(sql`without rowid`) : seen).execute();
  await db.schema.createIndex('analyticsSeenByDay').on('analyticsSeen').column('day').execute();
}
