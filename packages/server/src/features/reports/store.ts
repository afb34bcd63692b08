/** The rows of reports, without their bodies. */
import type { Plan } from '@svc/contract';
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import { EXPIRED, FINALIZED, LIVE } from '#platform/database/report-states';
import type { MembershipsTable, ReportsTable, WorkspacesTable } from '#platform/database/schema';
import { isRecordId } from '#platform/ids';

export type ReportRow = ReportsTable;

/** False when its creator already has a report with that local id. */
export async function insertReport(tx: Tx, report: ReportRow): Promise<boolean> {
  return (await inserted(tx, { report })).length > 0;
}

const inserted = compiledOnce((db, { report }: { report: ReportRow }) =>
  db
    .insertInto('reports')
    .values(report)
    .onConflict((conflict) => conflict.columns(['createdBy', 'localReportId']).doNothing())
    .returning('id'),
);

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
  await updated(tx, { reportId, change });
}

const updated = compiledOnce((db, { reportId, change }: { reportId: string; change: Partial<ReportRow> }) =>
  db.updateTable('reports').set(change).where('id', '=', reportId),
);

/** Deletes the keys of reports that have lost their body, and lets those that were finalized expire. */
export async function endWithoutBody(tx: Tx, reportIds: readonly string[], now: number): Promise<void> {
  await tx.updateTable('reports').set({ wrappedKey: null }).where('id', 'in', reportIds).execute();
  await tx
    .updateTable('reports')
    .set({ expiresAt: now })
    .where('id', 'in', reportIds)
    .where('state', '=', FINALIZED)
    .where('expiresAt', '>', now)
    .execute();
}

/** Whether a row is only read, or locked until the transaction ends. */
export type Locking = 'read' | 'lock';

/** A report that this user's device created and that they still own; else null. */
export async function findOwn(
  db: Db,
  userId: string,
  reportId: string,
  locking: Locking,
): Promise<ReportRow | null> {
  if (!isRecordId('rep', reportId)) return null;
  const [row] = await own[locking](db, { userId, reportId });
  return row ?? null;
}

interface OfUser {
  readonly userId: string;
  readonly reportId: string;
}

const ownBy = (db: Db, { userId, reportId }: OfUser) =>
  db
    .selectFrom('reports')
    .selectAll()
    .where('id', '=', reportId)
    .where('createdBy', '=', userId)
    .where('ownerId', '=', userId);

const own = {
  read: compiledOnce(ownBy),
  lock: compiledOnce((db, values: OfUser) => ownBy(db, values).forUpdate()),
};

/** Locks the report, so that its state stays the same until the transaction ends. */
export async function lockReport(tx: Tx, reportId: string): Promise<ReportRow | null> {
  const row = await tx
    .selectFrom('reports')
    .selectAll()
    .where('id', '=', reportId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

interface ProjectOfMember {
  readonly userId: string;
  readonly workspaceId: string;
  readonly projectId: string;
}

/**
 * Locks a project and the user's membership in its workspace, so that neither is deleted while something is added to
 * the project. Returns the workspace's plan; null for an unknown project and for a user who is not a member.
 */
export async function lockProject(tx: Tx, place: ProjectOfMember): Promise<{ readonly plan: Plan } | null> {
  const [row] = await lockedProject(tx, place);
  return row ?? null;
}

const lockedProject = compiledOnce((db, { userId, workspaceId, projectId }: ProjectOfMember) =>
  db
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.workspaceId', 'projects.workspaceId')
    .innerJoin('workspaces', 'workspaces.id', 'projects.workspaceId')
    .select('workspaces.plan')
    .where('projects.id', '=', projectId)
    .where('projects.workspaceId', '=', workspaceId)
    .where('memberships.userId', '=', userId)
    .forUpdate(['projects', 'memberships']),
);

/** A report, with the columns that decide whether the user may read it. */
export interface SeenReport extends ReportRow {
  /** The name of the project; null when it was deleted. */
  readonly nameOfProject: string | null;
  /** The user's id, or null for a user outside the report's workspace. */
  readonly memberId: string | null;
  readonly memberRole: MembershipsTable['role'] | null;
  readonly workspaceKind: WorkspacesTable['kind'];
  readonly adminFlag: 0 | 1;
  readonly email: string;
}

export async function findSeenBy(
  db: Db,
  userId: string,
  reportId: string,
  locking: Locking,
): Promise<SeenReport | null> {
  if (!isRecordId('rep', reportId)) return null;
  const [row] = await oneSeenBy[locking](db, { userId, reportId });
  return row ?? null;
}

const oneSeenBy = {
  read: compiledOnce((db, { userId, reportId }: OfUser) =>
    seenBy(db, userId).where('reports.id', '=', reportId),
  ),
  /** Locks only the report's row. */
  lock: compiledOnce((db, { userId, reportId }: OfUser) =>
    seenBy(db, userId).where('reports.id', '=', reportId).forUpdate('reports'),
  ),
};

export interface ListFilter {
  readonly workspaceId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly localReportId?: string | undefined;
  readonly before?: ListPosition | undefined;
  readonly ownedOnly: boolean;
  readonly madeOnly: boolean;
  readonly now: number;
  readonly most: number;
}

/** A position in the list: a page continues with older reports from there. */
export interface ListPosition {
  readonly createdAt: number;
  readonly reportId: string;
}

export interface ListedRow extends SeenReport {
  /** The counts as JSON; null while the report is live. */
  readonly openFindings: string | null;
}

/** Current reports of the user's workspaces, newest first. This includes the user's own, since owners are members. */
export async function listSeenBy(db: Db, userId: string, filter: ListFilter): Promise<ListedRow[]> {
  let query = seenBy(db, userId)
    .leftJoin('uploads', 'uploads.id', 'reports.uploadId')
    .select('uploads.openFindings')
    .where('memberships.userId', 'is not', null)
    .where('reports.state', '<>', EXPIRED)
    .where('reports.expiresAt', '>', filter.now);
  const { workspaceId, projectId, localReportId, before } = filter;
  if (filter.ownedOnly) query = query.where('reports.ownerId', '=', userId);
  if (filter.madeOnly) query = query.where('reports.createdBy', '=', userId);
  if (workspaceId !== undefined) query = query.where('reports.workspaceId', '=', workspaceId);
  if (projectId !== undefined) query = query.where('reports.projectId', '=', projectId);
  if (localReportId !== undefined) query = query.where('reports.localReportId', '=', localReportId);
  if (before !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb('reports.createdAt', '<', before.createdAt),
        eb.and([eb('reports.createdAt', '=', before.createdAt), eb('reports.id', '<', before.reportId)]),
      ]),
    );
  }
  return query
    .orderBy('reports.createdAt', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(filter.most)
    .execute();
}

function seenBy(db: Db, userId: string) {
  return db
    .selectFrom('reports')
    .innerJoin('users', (join) => join.on('users.id', '=', userId))
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.workspaceId', '=', 'reports.workspaceId').on('memberships.userId', '=', userId),
    )
    .innerJoin('workspaces', 'workspaces.id', 'reports.workspaceId')
    .leftJoin('projects', 'projects.id', 'reports.projectId')
    .selectAll('reports')
    .select([
      'projects.name as nameOfProject',
      'memberships.userId as memberId',
      'memberships.role as memberRole',
      'workspaces.kind as workspaceKind',
      'users.adminFlag',
      'users.email',
    ]);
}

/** The reports of a workspace or a project, or a single report. */
export type Belonging =
  | { readonly workspaceId: string }
  | { readonly projectId: string }
  | { readonly reportId: string };

/** Locks these reports unless they have expired. Prevents new reports in a project or workspace. */
export async function lockPresent(tx: Tx, belonging: Belonging): Promise<ReportRow[]> {
  if (!('reportId' in belonging)) await lockProjects(tx, belonging);
  const [column, value] = columnOf(belonging);
  return tx
    .selectFrom('reports')
    .selectAll()
    .where(column, '=', value)
    .where('state', '<>', EXPIRED)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function lockProjects(
  tx: Tx,
  belonging: Exclude<Belonging, { reportId: string }>,
): Promise<void> {
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

/**
 * Deletes the keys, the project names, the agents and the hosts; the other columns remain. Progress events, of which
 * there can be millions, are deleted later in small batches.
 */
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

/**
 * Reserves the next event numbers of a live report, and locks its row: until the transaction ends no other transaction
 * reserves any. Numbers therefore become visible in order, and a reader that asks for events after a number misses
 * none. Resolves to the last reserved number; null when the report accepts no events any more.
 */
export async function takeEventNumbers(
  tx: Tx,
  reportId: string,
  count: number,
  now: number,
): Promise<number | null> {
  const [row] = await takenNumbers(tx, { reportId, count, now });
  return row?.lastEventNumber ?? null;
}

const takenNumbers = compiledOnce(
  (db, { reportId, count, now }: { reportId: string; count: number; now: number }) =>
    db
      .updateTable('reports')
      .set((eb) => ({ lastEventNumber: eb('lastEventNumber', '+', count) }))
      .where('id', '=', reportId)
      .where('state', '=', LIVE)
      .where('expiresAt', '>', now)
      .returning('lastEventNumber'),
);

/** An expired report that still has progress events, locked; null when there is none. */
export async function lockExpiredWithEvents(
  tx: Tx,
): Promise<Pick<ReportRow, 'id' | 'lastEventNumber'> | null> {
  const row = await tx
    .selectFrom('reports')
    .select(['id', 'lastEventNumber'])
    .where('state', '=', EXPIRED)
    .where('lastEventNumber', '>', sql.lit(0))
    // The order of the index of such rows. PostgreSQL expects many of them, and would otherwise scan the table for one.
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** The caller has locked the report. */
export async function countSupportAccess(tx: Tx, reportId: string): Promise<void> {
  await tx
    .updateTable('reports')
    .set((eb) => ({ supportAccesses: eb('supportAccesses', '+', 1) }))
    .where('id', '=', reportId)
    .execute();
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

/** Gives the reports of one owner in a workspace to another owner. */
export async function changeOwner(tx: Tx, workspaceId: string, from: string, to: string): Promise<void> {
  await tx
    .updateTable('reports')
    .set({ ownerId: to })
    .where('workspaceId', '=', workspaceId)
    .where('ownerId', '=', from)
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
