/** Shares and their principals, as their owner sees them. */
import { sql, type ExpressionBuilder } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import { EXPIRED } from '#platform/database/report-states';
import type { SharePrincipalsTable, SharesTable, Tables } from '#platform/database/schema';

export type ShareRow = SharesTable;
export type PrincipalRow = SharePrincipalsTable;

/** A literal in the query, so that the database can use the partial index of such principals. */
const EMAIL = sql.lit<'email'>('email');
/** Few enough that one statement stays within the databases' limits. */
const ROWS_AT_ONCE = 100;

export async function insertShare(tx: Tx, share: ShareRow): Promise<void> {
  await tx.insertInto('shares').values(share).execute();
}

export async function updateShare(tx: Tx, shareId: string, change: Partial<ShareRow>): Promise<void> {
  await tx.updateTable('shares').set(change).where('id', '=', shareId).execute();
}

/** The active shares of a report. */
export async function countActive(tx: Tx, reportId: string, now: number): Promise<number> {
  const { count } = await tx
    .selectFrom('shares')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('reportId', '=', reportId)
    .where('revokedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .executeTakeFirstOrThrow();
  return count;
}

/** A share with the length of its policies. */
export interface WeighedShare extends Pick<ShareRow, 'id' | 'revokedAt' | 'expiresAt'> {
  readonly characters: number;
}

/** The shares of a report, oldest first. */
export async function weighShares(tx: Tx, reportId: string): Promise<WeighedShare[]> {
  const named = (eb: ExpressionBuilder<Tables, 'shares'>) =>
    eb
      .selectFrom('sharePrincipals')
      .select(sql<number>`coalesce(sum(length(${sql.ref('policy')})), 0)`.as('characters'))
      .whereRef('shareId', '=', 'shares.id');
  return tx
    .selectFrom('shares')
    .select((eb) => [
      'id',
      'revokedAt',
      'expiresAt',
      sql<number>`length(${sql.ref('defaultPolicy')}) + ${named(eb)}`.as('characters'),
    ])
    .where('reportId', '=', reportId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Deletes ended shares, so that lists no longer show them. What viewers get stays the same. */
export async function forgetShares(tx: Tx, shareIds: readonly string[]): Promise<void> {
  for (let from = 0; from < shareIds.length; from += ROWS_AT_ONCE)
    await tx
      .deleteFrom('shares')
      .where('id', 'in', shareIds.slice(from, from + ROWS_AT_ONCE))
      .execute();
}

/** Locks a share until the transaction ends. Null when the report has no such share. */
export async function lockShare(tx: Tx, shareId: string, reportId: string): Promise<ShareRow | null> {
  return (await shareOfReport(tx, shareId, reportId).forUpdate('shares').executeTakeFirst()) ?? null;
}

export async function findDisplayName(db: Db, userId: string): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('displayName').where('id', '=', userId).executeTakeFirst();
  return row?.displayName;
}

function shareOfReport(db: Db, shareId: string, reportId: string) {
  return db
    .selectFrom('shares')
    .innerJoin('reports', 'reports.id', 'shares.reportId')
    .selectAll('shares')
    .where('shares.id', '=', shareId)
    .where('reports.id', '=', reportId);
}

/** A share with the account that created it, or with the owner of its report once that account was deleted. */
export interface ShareWithCreator extends ShareRow {
  readonly creatorId: string;
  readonly creatorName: string;
}

export async function listShares(
  db: Db,
  of: { reportId: string } | { shareId: string },
): Promise<ShareWithCreator[]> {
  const query = db
    .selectFrom('shares')
    .innerJoin('reports', 'reports.id', 'shares.reportId')
    .innerJoin('users as owner', 'owner.id', 'reports.ownerId')
    .leftJoin('users as creator', 'creator.id', 'shares.createdBy')
    .selectAll('shares')
    .select(({ fn }) => [
      fn.coalesce('creator.id', 'owner.id').as('creatorId'),
      fn.coalesce('creator.displayName', 'owner.displayName').as('creatorName'),
    ])
    .orderBy('shares.createdAt')
    .orderBy('shares.id');
  return 'shareId' in of
    ? query.where('shares.id', '=', of.shareId).execute()
    : query.where('shares.reportId', '=', of.reportId).execute();
}

/** The sealed messages of a report's shares. */
export async function listMessages(
  tx: Tx,
  reportId: string,
): Promise<{ readonly id: string; readonly message: Uint8Array }[]> {
  return messagesOf(tx, { reportId });
}

const messagesOf = compiledOnce((db, { reportId }: { reportId: string }) =>
  db
    .selectFrom('shares')
    .select(['id', 'message'])
    .where('reportId', '=', reportId)
    .where('message', 'is not', null)
    .$narrowType<{ message: Uint8Array }>(),
);

/** An active share, with its report's owner, without its policies. */
export interface WorkingShare extends Pick<
  ShareRow,
  | 'id'
  | 'reportId'
  | 'label'
  | 'mode'
  | 'anonymousAllowed'
  | 'createdAt'
  | 'expiresAt'
  | 'viewCount'
  | 'lastViewedAt'
> {
  readonly hasPassword: number;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly projectName: string | null;
  /** Null when the project was deleted. */
  readonly nameOfProject: string | null;
}

/**
 * The active shares of a workspace's reports, oldest first.
 * @param of `ownerId` is null for the reports of all owners.
 */
export async function listWorking(
  db: Db,
  of: { readonly workspaceId: string; readonly ownerId: string | null; readonly now: number },
): Promise<WorkingShare[]> {
  let query = db
    .selectFrom('reports')
    .innerJoin('shares', 'shares.reportId', 'reports.id')
    .innerJoin('users', 'users.id', 'reports.ownerId')
    .leftJoin('projects', 'projects.id', 'reports.projectId')
    .select([
      'shares.id',
      'shares.reportId',
      'shares.label',
      'shares.mode',
      'shares.anonymousAllowed',
      'shares.createdAt',
      'shares.expiresAt',
      'shares.viewCount',
      'shares.lastViewedAt',
      'reports.ownerId',
      'reports.projectName',
      'users.displayName as ownerName',
      'projects.name as nameOfProject',
      sql<number>`case when ${sql.ref('shares.passwordHash')} is null then 0 else 1 end`.as('hasPassword'),
    ])
    .where('reports.workspaceId', '=', of.workspaceId)
    .where('reports.state', '<>', EXPIRED)
    .where('reports.expiresAt', '>', of.now)
    .where('shares.revokedAt', 'is', null)
    .where((eb) => eb.or([eb('shares.expiresAt', 'is', null), eb('shares.expiresAt', '>', of.now)]));
  if (of.ownerId !== null) query = query.where('reports.ownerId', '=', of.ownerId);
  return query.orderBy('shares.createdAt').orderBy('shares.id').execute();
}

/** The principals of a share, or of all shares of a report, in their owner's order. */
export async function listPrincipals(
  db: Db,
  of: { reportId: string } | { shareId: string },
): Promise<PrincipalRow[]> {
  const query = db.selectFrom('sharePrincipals').selectAll('sharePrincipals').orderBy('position');
  return 'shareId' in of
    ? query.where('shareId', '=', of.shareId).execute()
    : query
        .innerJoin('shares', 'shares.id', 'sharePrincipals.shareId')
        .where('shares.reportId', '=', of.reportId)
        .execute();
}

export async function insertPrincipals(tx: Tx, rows: readonly PrincipalRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await tx
      .insertInto('sharePrincipals')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
}

export async function deletePrincipals(tx: Tx, shareId: string): Promise<void> {
  await tx.deleteFrom('sharePrincipals').where('shareId', '=', shareId).execute();
}

/** The accounts that have these addresses now. */
export async function accountsByEmail(
  tx: Tx,
  emails: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (emails.length === 0) return new Map();
  const rows = await tx.selectFrom('users').select(['email', 'id']).where('email', 'in', emails).execute();
  return new Map(rows.map(({ email, id }) => [email, id]));
}

/** Binds the principals that name this address, and have no account yet, to the account. */
export async function pinAddress(tx: Tx, email: string, userId: string): Promise<void> {
  await tx
    .updateTable('sharePrincipals')
    .set({ userId })
    .where('type', '=', EMAIL)
    .where('userId', 'is', null)
    .where('value', '=', email)
    .execute();
}

/** Deletes the policies, messages and creators of these reports' shares, and the labels of shares and principals. */
export async function makeTombstones(tx: Tx, reportIds: readonly string[], now: number): Promise<void> {
  await tx
    .updateTable('sharePrincipals')
    .set({ label: null, policy: null, policyDigest: null })
    .where('shareId', 'in', (eb) => eb.selectFrom('shares').select('id').where('reportId', 'in', reportIds))
    .execute();
  await tx
    .updateTable('shares')
    .set({
      label: null,
      defaultPolicy: null,
      policyDigest: null,
      message: null,
      showSender: 0,
      createdBy: null,
      endedAt: now,
    })
    .where('reportId', 'in', reportIds)
    .execute();
}

/** Deletes at most `most` shares whose reports ended before a time. False when there was none. */
export async function forgetTombstones(db: Db, endedBefore: number, most: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('shares')
    .where('id', 'in', (eb) =>
      eb.selectFrom('shares').select('id').where('endedAt', '<=', endedBefore).limit(most),
    )
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Adds to the stored view counts. A deleted share is skipped. */
export async function addViews(
  tx: Tx,
  shareId: string,
  { count, lastViewedAt }: { readonly count: number; readonly lastViewedAt: number },
): Promise<void> {
  await tx
    .updateTable('shares')
    .set((eb) => ({
      viewCount: eb('viewCount', '+', count),
      lastViewedAt: eb
        .case()
        .when('lastViewedAt', '>', lastViewedAt)
        .then(eb.ref('lastViewedAt'))
        .else(lastViewedAt)
        .end(),
    }))
    .where('id', '=', shareId)
    .execute();
}
