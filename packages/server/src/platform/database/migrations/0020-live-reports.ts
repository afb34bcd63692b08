/**
 * An index of the reports that are not finalized, by owner. Each declaration of an upload counts the owner's open
 * uploads; without the index it read all reports that the owner ever had.
 */
import { sql, type Kysely } from 'kysely';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function liveReports(db: Kysely<any>): Promise<void> {
  await db.schema
    .createIndex('liveReportsByOwner')
    .on('reports')
    .column('ownerId')
    .where(sql<boolean>`state = 'live'`)
    .execute();
}
