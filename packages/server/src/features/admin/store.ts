/** Counts for the administrator's overview, and the workspaces with their names and owners. */
import { sql } from 'kysely';
import type { Plan, WorkspaceKind } from '@svc/contract';
import type { Db } from '#platform/database/database';
import { EXPIRED, FINALIZED, LIVE } from '#platform/database/report-states';
import type { WorkspacesTable } from '#platform/database/schema';

export type WorkspaceRow = WorkspacesTable;

export async function countAccounts(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The number of accounts that were created since the time in an id. */
export async function countAccountsSince(db: Db, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', '>=', id)
    .executeTakeFirstOrThrow();
  return count;
}

export async function countDevices(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('devices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function countDevicesSince(db: Db, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('devices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', '>=', id)
    .executeTakeFirstOrThrow();
  return count;
}

export async function countProjects(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function countWorkspaces(
  db: Db,
): Promise<{ readonly kind: WorkspaceKind; readonly plan: Plan; readonly count: number }[]> {
  return db
    .selectFrom('workspaces')
    .select(({ fn }) => ['kind', 'plan', fn.countAll<number>().as('count')])
    .groupBy(['kind', 'plan'])
    .execute();
}

export async function countReports(db: Db): Promise<{ readonly state: string; readonly count: number }[]> {
  return db
    .selectFrom('reports')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('state', 'in', [LIVE, FINALIZED])
    .groupBy('state')
    .execute();
}

/** The number of final reports whose upload was declared since the time in an id. */
export async function countSyncedSince(db: Db, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('uploads')
    // Also joined by the report's id, because no index finds a report by its upload.
    .innerJoin('reports', (join) =>
      join.onRef('reports.id', '=', 'uploads.reportId').onRef('reports.uploadId', '=', 'uploads.id'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('uploads.id', '>=', id)
    .executeTakeFirstOrThrow();
  return count;
}

export async function countShares(db: Db, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('shares')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('revokedAt', 'is', null)
    .where('endedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .executeTakeFirstOrThrow();
  return count;
}

export async function countGrants(db: Db, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('supportGrants')
    .innerJoin('reports', 'reports.id', 'supportGrants.reportId')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('supportGrants.revokedAt', 'is', null)
    .where('supportGrants.expiresAt', '>', now)
    .where('reports.state', '<>', EXPIRED)
    .where('reports.expiresAt', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}

export interface WorkspaceFilter {
  /** Only workspaces whose id sorts before this id. */
  readonly before: string | undefined;
  /** Only workspaces that the account with this address is in. */
  readonly email: string | undefined;
  readonly most: number;
}

export interface CountedWorkspace extends WorkspaceRow {
  readonly ownerEmail: string | null;
  readonly members: number;
  readonly projects: number;
  readonly reports: number;
}

/** The workspaces, newest first. */
export async function listWorkspaces(
  db: Db,
  { before, email, most }: WorkspaceFilter,
): Promise<CountedWorkspace[]> {
  let query = db
    .selectFrom('workspaces')
    .selectAll('workspaces')
    .select((eb) => [
      eb
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.userId')
        .select('users.email')
        .whereRef('memberships.workspaceId', '=', 'workspaces.id')
        .where('memberships.role', '=', 'owner')
        .orderBy('memberships.joinedAt')
        .orderBy('users.id')
        .limit(1)
        .as('ownerEmail'),
      sql<number>`(${eb
        .selectFrom('memberships')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('memberships.workspaceId', '=', 'workspaces.id')})`.as('members'),
      sql<number>`(${eb
        .selectFrom('projects')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('projects.workspaceId', '=', 'workspaces.id')})`.as('projects'),
      sql<number>`(${eb
        .selectFrom('reports')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('reports.workspaceId', '=', 'workspaces.id')
        .where('reports.state', '<>', EXPIRED)})`.as('reports'),
    ]);
  if (before !== undefined) query = query.where('workspaces.id', '<', before);
  if (email !== undefined)
    query = query.where('workspaces.id', 'in', (eb) =>
      eb
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.userId')
        .select('memberships.workspaceId')
        .where('users.email', '=', email),
    );
  return query.orderBy('workspaces.id', 'desc').limit(most).execute();
}
