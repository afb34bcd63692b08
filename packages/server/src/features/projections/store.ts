/** The rows of prepared projections, the decisions about findings that they list, and the names of their blobs. */
import type { ExpressionBuilder } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import { FINALIZED } from '#platform/database/report-states';
import type { PreparedStatusChangesTable, PreparedProjectionsTable, Tables } from '#platform/database/schema';

export type PreparedStatusChangeRow = PreparedStatusChangesTable;

/** Few enough that one statement stays within the databases' limits. */
const ROWS_AT_ONCE = 500;

/** The key of a projection in the database. */
export interface ProjectionKey {
  readonly reportId: string;
  readonly policyDigest: string;
}

export type PreparedRow = Pick<PreparedProjectionsTable, 'blobName' | 'sizeBytes' | 'version' | 'lapsesAt'>;

export async function findPrepared(
  db: Db,
  { reportId, policyDigest }: ProjectionKey,
): Promise<PreparedRow | null> {
  const row = await db
    .selectFrom('preparedProjections')
    .select(['blobName', 'sizeBytes', 'version', 'lapsesAt'])
    .where('reportId', '=', reportId)
    .where('policyDigest', '=', policyDigest)
    .executeTakeFirst();
  return row ?? null;
}

/** A report whose projections can be prepared. */
export interface ProjectableReport {
  readonly id: string;
  readonly ownerId: string;
  readonly wrappedKey: Uint8Array | null;
  readonly uploadId: string | null;
}

/** Null for a report that is live or has expired. */
export async function findProjectable(db: Db, reportId: string): Promise<ProjectableReport | null> {
  return (await projectable(db, reportId).executeTakeFirst()) ?? null;
}

/** Locks the report until the transaction ends, so that no decision about its findings is made meanwhile. */
export async function lockProjectable(tx: Tx, reportId: string): Promise<boolean> {
  return (await projectable(tx, reportId).forUpdate().executeTakeFirst()) !== undefined;
}

function projectable(db: Db, reportId: string) {
  return db
    .selectFrom('reports')
    .select(['id', 'ownerId', 'wrappedKey', 'uploadId'])
    .where('id', '=', reportId)
    .where('state', '=', FINALIZED);
}

/** The digests of the policies of a report's active shares, then those of their principals, each oldest share first. */
export async function listUsedDigests(tx: Tx, reportId: string, now: number): Promise<string[]> {
  const shares = await working(tx, reportId, now)
    .select('shares.policyDigest')
    .orderBy('shares.createdAt')
    .orderBy('shares.id')
    .execute();
  const principals = await working(tx, reportId, now)
    .innerJoin('sharePrincipals', 'sharePrincipals.shareId', 'shares.id')
    .select('sharePrincipals.policyDigest')
    .orderBy('shares.createdAt')
    .orderBy('shares.id')
    .orderBy('sharePrincipals.position')
    .execute();
  return [...shares, ...principals].flatMap(({ policyDigest }) => policyDigest ?? []);
}

/** A policy with that digest, as JSON; null when no active share has it any more. */
export async function findPolicy(
  db: Db,
  { reportId, policyDigest }: ProjectionKey,
  now: number,
): Promise<string | null> {
  const share = await working(db, reportId, now)
    .select('shares.defaultPolicy as policy')
    .where('shares.policyDigest', '=', policyDigest)
    .limit(1)
    .executeTakeFirst();
  if (share) return share.policy;
  const principal = await working(db, reportId, now)
    .innerJoin('sharePrincipals', 'sharePrincipals.shareId', 'shares.id')
    .select('sharePrincipals.policy')
    .where('sharePrincipals.policyDigest', '=', policyDigest)
    .limit(1)
    .executeTakeFirst();
  return principal?.policy ?? null;
}

function working(db: Db, reportId: string, now: number) {
  const isAhead = (eb: ExpressionBuilder<Tables, 'shares'>) =>
    eb.or([eb('shares.expiresAt', 'is', null), eb('shares.expiresAt', '>', now)]);
  return db
    .selectFrom('shares')
    .where('shares.reportId', '=', reportId)
    .where('shares.revokedAt', 'is', null)
    .where(isAhead);
}

export async function listRows(
  db: Db,
  reportId: string,
): Promise<Omit<PreparedProjectionsTable, 'reportId' | 'sizeBytes'>[]> {
  return rowsOf(db, { reportId });
}

const rowsOf = compiledOnce((db, { reportId }: { reportId: string }) =>
  db
    .selectFrom('preparedProjections')
    .select(['policyDigest', 'blobName', 'listed', 'version', 'lapsesAt'])
    .where('reportId', '=', reportId)
    .orderBy('policyDigest'),
);

export async function insertRows(tx: Tx, reportId: string, policyDigests: readonly string[]): Promise<void> {
  if (policyDigests.length === 0) return;
  await tx
    .insertInto('preparedProjections')
    .values(
      policyDigests.map((policyDigest) => ({
        reportId,
        policyDigest,
        blobName: null,
        sizeBytes: null,
        listed: null,
        version: 0,
        lapsesAt: null,
      })),
    )
    .execute();
}

export async function updateRow(
  tx: Tx,
  { reportId, policyDigest }: ProjectionKey,
  change: Partial<PreparedProjectionsTable>,
): Promise<void> {
  await tx
    .updateTable('preparedProjections')
    .set(change)
    .where('reportId', '=', reportId)
    .where('policyDigest', '=', policyDigest)
    .execute();
}

/** @returns the names of the blobs of the deleted rows. */
export async function deleteRows(
  tx: Tx,
  reportId: string,
  policyDigests: readonly string[],
): Promise<string[]> {
  if (policyDigests.length === 0) return [];
  const rows = await tx
    .deleteFrom('preparedProjections')
    .where('reportId', '=', reportId)
    .where('policyDigest', 'in', policyDigests)
    .returning('blobName')
    .execute();
  return forgetMovesOf(tx, rows);
}

/**
 * Deletes all rows of these reports.
 * @returns the names of the blobs of the deleted rows.
 */
export async function deleteRowsOf(tx: Tx, reportIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('preparedProjections')
    .where('reportId', 'in', reportIds)
    .returning('blobName')
    .execute();
  return forgetMovesOf(tx, rows);
}

async function forgetMovesOf(tx: Tx, rows: readonly { blobName: string | null }[]): Promise<string[]> {
  const blobNames = rows.flatMap(({ blobName }) => blobName ?? []);
  if (blobNames.length > 0)
    await tx.deleteFrom('preparedStatusChanges').where('blobName', 'in', blobNames).execute();
  return blobNames;
}

export async function insertStatusChanges(tx: Tx, rows: readonly PreparedStatusChangeRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await tx
      .insertInto('preparedStatusChanges')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
}

/** The decisions up to a version, oldest first. */
export async function listStatusChanges(
  db: Db,
  blobName: string,
  version: number,
): Promise<PreparedStatusChangeRow[]> {
  return db
    .selectFrom('preparedStatusChanges')
    .selectAll()
    .where('blobName', '=', blobName)
    .where('version', '<=', version)
    .orderBy('version')
    .execute();
}

/** The rows of final reports that have no blob yet. */
export async function listToMake(db: Db, most: number): Promise<ProjectionKey[]> {
  return db
    .selectFrom('preparedProjections')
    .innerJoin('reports', 'reports.id', 'preparedProjections.reportId')
    .select(['preparedProjections.reportId', 'preparedProjections.policyDigest'])
    .where('preparedProjections.blobName', 'is', null)
    .where('reports.state', '=', FINALIZED)
    .limit(most)
    .execute();
}

/** The reports that have rows, after an id, in the order of their ids. */
export async function listReports(db: Db, afterId: string, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('preparedProjections')
    .select('reportId')
    .distinct()
    .where('reportId', '>', afterId)
    .orderBy('reportId')
    .limit(most)
    .execute();
  return rows.map(({ reportId }) => reportId);
}

/** The names among these that a row refers to. */
export async function preparedAmong(db: Db, blobNames: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('preparedProjections')
    .select('blobName')
    .where('blobName', 'in', blobNames)
    .execute();
  return new Set(rows.flatMap(({ blobName }) => blobName ?? []));
}

/** Blob names after a name, in order. */
export async function listBlobs(db: Db, afterName: string, most: number): Promise<{ blobName: string }[]> {
  return db
    .selectFrom('preparedProjections')
    .select('blobName')
    .where('blobName', '>', afterName)
    .orderBy('blobName')
    .limit(most)
    .$narrowType<{ blobName: string }>()
    .execute();
}
