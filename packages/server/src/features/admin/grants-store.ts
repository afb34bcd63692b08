/** Support grants and their uses. */
import type { Db, Tx } from '#platform/database/database';
import type { ReportsTable, SupportGrantsTable } from '#platform/database/schema';

export type GrantRow = SupportGrantsTable;
type ReportRow = ReportsTable;

/** A grant with what decides whether it can be used. */
export interface GrantOfReport extends GrantRow {
  readonly reportState: ReportRow['state'];
  readonly reportExpiresAt: number;
}

export async function insertGrant(tx: Tx, grant: GrantRow): Promise<void> {
  await tx.insertInto('supportGrants').values(grant).execute();
}

/** Newest first. */
export async function listGrants(db: Db, most: number): Promise<GrantOfReport[]> {
  return ofReports(db).orderBy('supportGrants.id', 'desc').limit(most).execute();
}

/** Locked to the end of the transaction, after its report. */
export async function lockGrant(tx: Tx, grantId: string): Promise<GrantRow | null> {
  const row = await tx
    .selectFrom('supportGrants')
    .selectAll()
    .where('id', '=', grantId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Of those that let this administrator read the report now the one that lasts longest, locked. */
export async function lockUsableGrant(
  tx: Tx,
  {
    reportId,
    administratorId,
    now,
  }: { readonly reportId: string; readonly administratorId: string; readonly now: number },
): Promise<GrantRow | null> {
  const row = await tx
    .selectFrom('supportGrants')
    .selectAll()
    .where('reportId', '=', reportId)
    .where('administratorId', '=', administratorId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('expiresAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function revokeGrant(tx: Tx, grantId: string, revokedAt: number): Promise<void> {
  await tx.updateTable('supportGrants').set({ revokedAt }).where('id', '=', grantId).execute();
}

/** Counts a use, at the grant and at the report. Both are locked. */
export async function insertUse(tx: Tx, grant: GrantRow, usedAt: number): Promise<void> {
  const number = grant.uses + 1;
  await tx.insertInto('supportUses').values({ grantId: grant.id, number, usedAt }).execute();
  await tx
    .updateTable('supportGrants')
    .set({ uses: number, lastUsedAt: usedAt })
    .where('id', '=', grant.id)
    .execute();
  await tx
    .updateTable('reports')
    .set((eb) => ({ supportAccesses: eb('supportAccesses', '+', 1) }))
    .where('id', '=', grant.reportId)
    .execute();
}

/** Oldest first. */
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

/** Of expired reports. */
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
