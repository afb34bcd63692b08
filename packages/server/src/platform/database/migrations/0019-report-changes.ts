/** How many findings of its project each report opened and fixed. Reports that are final already have no such counts. */
import type { Kysely } from 'kysely';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function reportChanges(db: Kysely<any>): Promise<void> {
  for (const column of ['openedFindings', 'fixedFindings'])
    await db.schema.alterTable('reports').addColumn(column, 'integer').execute();
}
