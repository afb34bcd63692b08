/**
 * Prepared projections: a row for each policy of a report's active shares, with the blob of the report filtered under
 * it, and the triage decisions about findings that it lists. The service creates the blobs after its start.
 */
import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { DialectName } from '../dialect-name.ts';

const ROWS_AT_ONCE = 500;
/** The limit for one report. */
const PREPARED_MAX = 32;

// oxlint-disable-next-line no-explicit-any -- a migration knows no tables but those it makes
type Untyped = Kysely<any>;

export async function preparedProjections(db: Untyped, dialect: DialectName): Promise<void> {
  const bytes = dialect === 'postgres' ? 'bytea' : 'blob';

  await db.schema.alterTable('shares').addColumn('policyDigest', 'text').execute();
  await db.schema.alterTable('sharePrincipals').addColumn('policyDigest', 'text').execute();

  await db.schema
    .createTable('preparedProjections')
    .addColumn('reportId', 'text', (column) => column.notNull().references('reports.id').onDelete('cascade'))
    .addColumn('policyDigest', 'text', (column) => column.notNull())
    .addColumn('blobName', 'text', (column) => column.unique())
    .addColumn('sizeBytes', 'integer')
    .addColumn('listed', sql.raw(bytes))
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('preparedProjectionsKey', ['reportId', 'policyDigest'])
    .execute();
  await db.schema
    .createIndex('preparedProjectionsToMake')
    .on('preparedProjections')
    .column('reportId')
    .where(sql.ref('blobName'), 'is', null)
    .execute();

  await db.schema
    .createTable('preparedStatusChanges')
    .addColumn('blobName', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('findingId', 'text', (column) => column.notNull())
    .addColumn('changedAt', 'bigint', (column) => column.notNull())
    .addColumn('toStatus', 'text', (column) => column.notNull())
    .addColumn('action', 'text')
    .addPrimaryKeyConstraint('preparedStatusChangesKey', ['blobName', 'version'])
    .execute();

  await digestShares(db);
  await digestPrincipals(db);
  await sql`
    insert into prepared_projections (report_id, policy_digest)
    select report_id, policy_digest from (
      select report_id, policy_digest,
        row_number() over (partition by report_id order by policy_digest) as place
      from (
        select report_id, policy_digest from shares
        where revoked_at is null and policy_digest is not null
        union
        select shares.report_id, share_principals.policy_digest from share_principals
        join shares on shares.id = share_principals.share_id
        where shares.revoked_at is null and share_principals.policy_digest is not null
      ) as used
    ) as placed
    where place <= ${sql.lit(PREPARED_MAX)}`.execute(db);
}

async function digestShares(db: Untyped): Promise<void> {
  let last = '';
  for (;;) {
    const rows: { id: string; defaultPolicy: string }[] = await db
      .selectFrom('shares')
      .select(['id', 'defaultPolicy'])
      .where('defaultPolicy', 'is not', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const { id, defaultPolicy } of rows) {
      const policyDigest = digestOf(defaultPolicy);
      await db.updateTable('shares').set({ policyDigest }).where('id', '=', id).execute();
      last = id;
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

async function digestPrincipals(db: Untyped): Promise<void> {
  let last = { shareId: '', position: -1 };
  for (;;) {
    const after = last;
    const rows: { shareId: string; position: number; policy: string }[] = await db
      .selectFrom('sharePrincipals')
      .select(['shareId', 'position', 'policy'])
      .where('policy', 'is not', null)
      .where(({ eb, and, or }) =>
        or([
          eb('shareId', '>', after.shareId),
          and([eb('shareId', '=', after.shareId), eb('position', '>', after.position)]),
        ]),
      )
      .orderBy('shareId')
      .orderBy('position')
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const { shareId, position, policy } of rows) {
      await db
        .updateTable('sharePrincipals')
        .set({ policyDigest: digestOf(policy) })
        .where('shareId', '=', shareId)
        .where('position', '=', position)
        .execute();
      last = { shareId, position };
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** The digest as the service computed it at that version: over the policy with its keys and ids in order. */
function digestOf(policy: string): string {
  const ordered = JSON.stringify(JSON.parse(policy), (_, value: unknown) => {
    if (Array.isArray(value)) return [...new Set<string>(value)].toSorted();
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
  return createHash('sha256').update(ordered).digest('base64url');
}
