/** The identities that a finding had before its fingerprint changed. Unknown for changes before this migration. */
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
export async function formerIdentities(db: Kysely<any>, dialect: DialectName): Promise<void> {
  const bytes = dialect === 'postgres' ? 'bytea' : 'blob';
  await db.schema.alterTable('projectFindings').addColumn('earlierIdentities', sql.raw(bytes)).execute();
}
