/** Support grants and their uses. */
import type { Db, Tx } from '#platform/database/database';
import type { ReportsTable, SupportGrantsTable } from '#platform/database/schema';

export type GrantRow = SupportGrantsTable;
type ReportRow = ReportsTable;

/** A grant with the columns that decide whether it can be used. */
export interface GrantOfReport extends GrantRow {
  readonly reportState: ReportRow['state'];
  readonly reportExpiresAt: number;
}

export async function insertGrant(tx: Tx, grant: GrantRow): Promise<void> {
  await tx.insertInto('supportGrants').values(grant).execute();
}

/** The grants, newest first. */
export async function listGrants(db: Db, most: number): Promise<GrantOfReport[]> {
  return ofReports(db).orderBy('supportGrants.id', 'desc').limit(most).execute();
}

/** Locks the grant until the end of the transaction. A caller that also locks its report locks the report first. */
export async function lockGrant(tx: Tx, grantId: string): Promise<GrantRow | null> {
  const row = await tx
    .selectFrom('supportGrants')
    .selectAll()
    .where('id', '=', grantId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export interface GrantReader {
  readonly reportId: string;
  readonly administratorId: string;
  readonly now: number;
}

/** Locks the grant that lets this administrator read the report for the longest time from now. */
export async function lockUsableGrant(tx: Tx, reader: GrantReader): Promise<GrantRow | null> {
  return (await usableGrants(tx, reader).forUpdate().executeTakeFirst()) ?? null;
}

/** Like `lockUsableGrant`, but without a lock. */
export async function findUsableGrant(db: Db, reader: GrantReader): Promise<GrantOfReport | null> {
  const query = usableGrants(db, reader).innerJoin('reports', 'reports.id', 'supportGrants.reportId');
  const row = await query
    .select(['reports.state as reportState', 'reports.expiresAt as reportExpiresAt'])
    .executeTakeFirst();
  return row ?? null;
}

function usableGrants(db: Db, { reportId, administratorId, now }: GrantReader) {
  return db
    .selectFrom('supportGrants')
    .selectAll('supportGrants')
    .where('supportGrants.reportId', '=', reportId)
    .where('supportGrants.administratorId', '=', administratorId)
    .where('supportGrants.revokedAt', 'is', null)
    .where('supportGrants.expiresAt', '>', now)
    .orderBy('supportGrants.expiresAt', 'desc')
    .orderBy('supportGrants.id', 'desc')
    .limit(1);
}

export async function revokeGrant(tx: Tx, grantId: string, revokedAt: number): Promise<void> {
  await tx.updateTable('supportGrants').set({ revokedAt }).where('id', '=', grantId).execute();
}

/** The caller has locked the grant. */
export async function insertUse(tx: Tx, grant: GrantRow, usedAt: number): Promise<void> {
  const number = grant.uses + 1;
  await tx.insertInto('supportUses').values({ grantId: grant.id, number, usedAt }).execute();
  await tx
    .updateTable('supportGrants')
    .set({ uses: number, lastUsedAt: usedAt })
    .where('id', '=', grant.id)
    .execute();
}

/** The uses, oldest first. */
export async function listUses(
  db: Db,
  reportId: string,
): Promise<{ readonly usedAt: number; readonly reason: string | null }[]> {
  return db
    .selectFrom('supportUses')
    .innerJoin('supportGrants', 'supportGrants.id', 'supportUses.grantId')
    .select(['supportUses.usedAt', 'supportGrants.reason'])
    .where('supportGrants.reportId', '=', reportId)
    .orderBy('supportUses.usedAt')
    .orderBy('supportUses.grantId')
    .orderBy('supportUses.number')
    .execute();
}

/** Deletes the reasons of grants for expired reports. */
export async function forgetReasons(tx: Tx, reportIds: readonly string[]): Promise<void> {
  await tx.updateTable('supportGrants').set({ reason: null }).where('reportId', 'in', reportIds).execute();
}

function ofReports(db: Db) {
  return db
    .selectFrom('supportGrants')
    .innerJoin('reports', 'reports.id', 'supportGrants.reportId')
    .selectAll('supportGrants')
    .select(['reports.state as reportState', 'reports.expiresAt as reportExpiresAt']);
}

export async function workspaceOf(tx: Tx, reportId: string): Promise<string> {
  const row = await tx
    .selectFrom('reports')
    .select('workspaceId')
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
  return row.workspaceId;
}
