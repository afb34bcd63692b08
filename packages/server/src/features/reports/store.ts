/** Reports, without their text. */
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import type { ReportsTable } from '#platform/database/schema';

export type ReportRow = ReportsTable;

/** In the text of a query, so that the database can tell that an index of such reports will do. */
const EXPIRED = sql.lit<'expired'>('expired');

/** False when its maker has a report of that local id already. */
export async function insertReport(tx: Tx, report: ReportRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('reports')
    .values(report)
    .onConflict((conflict) => conflict.columns(['createdBy', 'localReportId']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findByLocalId(
  db: Db,
  createdBy: string,
  localReportId: string,
): Promise<ReportRow | null> {
  const row = await db
    .selectFrom('reports')
    .selectAll()
    .where('createdBy', '=', createdBy)
    .where('localReportId', '=', localReportId)
    .executeTakeFirst();
  return row ?? null;
}

export async function updateReport(tx: Tx, reportId: string, change: Partial<ReportRow>): Promise<void> {
  await tx.updateTable('reports').set(change).where('id', '=', reportId).execute();
}

/** A report that this user's device made and that is still theirs; null for all else. */
export async function findOwn(db: Db, userId: string, reportId: string): Promise<ReportRow | null> {
  return (await own(db, userId, reportId).executeTakeFirst()) ?? null;
}

/** The same, locked to the end of the transaction. */
export async function lockOwn(tx: Tx, userId: string, reportId: string): Promise<ReportRow | null> {
  return (await own(tx, userId, reportId).forUpdate().executeTakeFirst()) ?? null;
}

function own(db: Db, userId: string, reportId: string) {
  return db
    .selectFrom('reports')
    .selectAll()
    .where('id', '=', reportId)
    .where('createdBy', '=', userId)
    .where('ownerId', '=', userId);
}

/** Locks the report, so that what is decided by its state holds to the end of the transaction. */
export async function lockReport(tx: Tx, reportId: string): Promise<ReportRow | null> {
  const row = await tx
    .selectFrom('reports')
    .selectAll()
    .where('id', '=', reportId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Locks a project and the user's membership in its workspace, so that neither goes while something is added to it. False
 * when there is no such project, or the user is no member (any more).
 */
export async function lockProject(
  tx: Tx,
  userId: string,
  workspaceId: string,
  projectId: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.workspaceId', 'projects.workspaceId')
    .select('projects.id')
    .where('projects.id', '=', projectId)
    .where('projects.workspaceId', '=', workspaceId)
    .where('memberships.userId', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** A report and what decides whether the user may read it. */
export interface SeenReport extends ReportRow {
  /** Of the project; null when that is gone. */
  readonly nameOfProject: string | null;
  readonly isMember: boolean;
  readonly adminFlag: 0 | 1;
  readonly email: string;
}

export async function findSeenBy(db: Db, userId: string, reportId: string): Promise<SeenReport | null> {
  const [row] = await oneSeenBy(db, { userId, reportId });
  return row ? seen(row) : null;
}

const oneSeenBy = compiledOnce((db, { userId, reportId }: { userId: string; reportId: string }) =>
  seenBy(db, userId).where('reports.id', '=', reportId),
);

/** The same, with the report locked to the end of the transaction. */
export async function lockSeenBy(tx: Tx, userId: string, reportId: string): Promise<SeenReport | null> {
  const row = await seenBy(tx, userId)
    .where('reports.id', '=', reportId)
    .forUpdate('reports')
    .executeTakeFirst();
  return row ? seen(row) : null;
}

export interface ListFilter {
  readonly workspaceId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly before?: ListPosition | undefined;
  readonly ownedOnly: boolean;
  readonly madeOnly: boolean;
  readonly now: number;
  readonly most: number;
}

/** A place in the list, after which nothing is wanted. */
export interface ListPosition {
  readonly createdAt: number;
  readonly reportId: string;
}

export interface ListedRow extends SeenReport {
  /** JSON; null while it is live. */
  readonly openFindings: string | null;
}

/** Present reports of the user's workspaces, newest first. Owners are among them, since they are members. */
export async function listSeenBy(db: Db, userId: string, filter: ListFilter): Promise<ListedRow[]> {
  let query = seenBy(db, userId)
    .leftJoin('uploads', 'uploads.id', 'reports.uploadId')
    .select('uploads.openFindings')
    .where('memberships.userId', 'is not', null)
    .where('reports.state', '<>', 'expired')
    .where('reports.expiresAt', '>', filter.now);
  const { workspaceId, projectId, before } = filter;
  if (filter.ownedOnly) query = query.where('reports.ownerId', '=', userId);
  if (filter.madeOnly) query = query.where('reports.createdBy', '=', userId);
  if (workspaceId !== undefined) query = query.where('reports.workspaceId', '=', workspaceId);
  if (projectId !== undefined) query = query.where('reports.projectId', '=', projectId);
  if (before !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb('reports.createdAt', '<', before.createdAt),
        eb.and([eb('reports.createdAt', '=', before.createdAt), eb('reports.id', '<', before.reportId)]),
      ]),
    );
  }
  const rows = await query
    .orderBy('reports.createdAt', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(filter.most)
    .execute();
  return rows.map(seen);
}

function seenBy(db: Db, userId: string) {
  return db
    .selectFrom('reports')
    .innerJoin('users', (join) => join.on('users.id', '=', userId))
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.workspaceId', '=', 'reports.workspaceId').on('memberships.userId', '=', userId),
    )
    .leftJoin('projects', 'projects.id', 'reports.projectId')
    .selectAll('reports')
    .select([
      'projects.name as nameOfProject',
      'memberships.userId as memberId',
      'users.adminFlag',
      'users.email',
    ]);
}

function seen<Row extends { memberId: string | null }>({ memberId, ...row }: Row) {
  return { ...row, isMember: memberId !== null };
}

/** What a set of reports has in common. */
export type Belonging =
  | { readonly workspaceId: string }
  | { readonly projectId: string }
  | { readonly reportId: string };

/** Locks the reports that are not expired yet; of a project or a workspace, so that none is added either. */
export async function lockPresent(tx: Tx, belonging: Belonging): Promise<ReportRow[]> {
  if (!('reportId' in belonging)) await lockProjects(tx, belonging);
  const [column, value] = columnOf(belonging);
  return tx
    .selectFrom('reports')
    .selectAll()
    .where(column, '=', value)
    .where('state', '<>', 'expired')
    .orderBy('id')
    .forUpdate()
    .execute();
}

async function lockProjects(tx: Tx, belonging: Exclude<Belonging, { reportId: string }>): Promise<void> {
  const query = tx.selectFrom('projects').select('id').orderBy('id').forUpdate();
  await (
    'projectId' in belonging
      ? query.where('id', '=', belonging.projectId)
      : query.where('workspaceId', '=', belonging.workspaceId)
  ).execute();
}

function columnOf(belonging: Belonging): ['workspaceId' | 'projectId' | 'id', string] {
  if ('workspaceId' in belonging) return ['workspaceId', belonging.workspaceId];
  if ('projectId' in belonging) return ['projectId', belonging.projectId];
  return ['id', belonging.reportId];
}

/** Leaves the ids, the owner and the times; progress events, of which there can be very many, go by `forgetEvents`. */
export async function makeTombstones(tx: Tx, reportIds: readonly string[], now: number): Promise<void> {
  await tx
    .updateTable('reports')
    .set({
      state: 'expired',
      expiredAt: now,
      projectName: null,
      agent: null,
      host: null,
      reservationId: null,
      wrappedKey: null,
      uploadId: null,
    })
    .where('id', 'in', reportIds)
    .execute();
}

/** Deletes the newest events of one tombstone, at most so many; false when no tombstone has any left. */
export async function forgetEvents(tx: Tx, most: number): Promise<boolean> {
  const tombstone = await tx
    .selectFrom('reports')
    .select(['id', 'lastEventNumber'])
    .where('state', '=', EXPIRED)
    .where('lastEventNumber', '>', sql.lit(0))
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (!tombstone) return false;
  const rest = Math.max(0, tombstone.lastEventNumber - most);
  await tx
    .deleteFrom('progressEvents')
    .where('reportId', '=', tombstone.id)
    .where('number', '>', rest)
    .execute();
  await updateReport(tx, tombstone.id, { lastEventNumber: rest });
  return true;
}

export async function listDue(db: Db, now: number, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('reports')
    .select('id')
    .where('state', '<>', EXPIRED)
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** The reports of one owner in a workspace get another. */
export async function changeOwner(tx: Tx, workspaceId: string, from: string, to: string): Promise<void> {
  await tx
    .updateTable('reports')
    .set({ ownerId: to })
    .where('workspaceId', '=', workspaceId)
    .where('ownerId', '=', from)
    .execute();
}

/**
 * What a project tells of its newest finalized report; nothing when it has none. Locks the project first: of two that look
 * at the same moment, the later one sees what the earlier one did.
 */
export async function refreshProject(tx: Tx, projectId: string): Promise<void> {
  await lockProjects(tx, { projectId });
  const newest = await tx
    .selectFrom('reports')
    .innerJoin('uploads', 'uploads.id', 'reports.uploadId')
    .select(['reports.finalizedAt', 'uploads.openFindings'])
    .where('reports.projectId', '=', projectId)
    .where('reports.state', '=', 'finalized')
    .orderBy('reports.finalizedAt', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  await tx
    .updateTable('projects')
    .set({ lastReportAt: newest?.finalizedAt ?? null, openFindings: newest?.openFindings ?? null })
    .where('id', '=', projectId)
    .execute();
}

export async function clientVersionOf(db: Db, deviceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('devices')
    .select('clientVersion')
    .where('id', '=', deviceId)
    .executeTakeFirst();
  return row?.clientVersion ?? null;
}

/** True for a project of one of the user's workspaces. */
export async function seesProject(db: Db, userId: string, projectId: string): Promise<boolean> {
  const row = await db
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.workspaceId', 'projects.workspaceId')
    .select('projects.id')
    .where('projects.id', '=', projectId)
    .where('memberships.userId', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}
