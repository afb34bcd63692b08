/** An index for the few findings of a project that had another identity earlier. */
import { sql, type Kysely } from 'kysely';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function renamedFindings(db: Kysely<any>): Promise<void> {
  await db.schema
    .createIndex('projectFindingsRenamed')
    .on('projectFindings')
    .column('projectId')
    .where(sql.ref('earlierIdentities'), 'is not', null)
    .execute();
}
