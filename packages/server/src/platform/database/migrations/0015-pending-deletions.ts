/**
 * An index for the oldest blobs pending deletion. After many reports have expired, there are too many to sort for each
 * batch.
 */
import type { Kysely } from 'kysely';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function pendingDeletions(db: Kysely<any>): Promise<void> {
  await db.schema
    .createIndex('pendingDeletionsByTime')
    .on('pendingDeletions')
    .column('pendingSince')
    .execute();
}
