/** Projects. */
import type { Role } from '@svc/contract';
import type { Db, Tx } from '#platform/database/database';
import type { ProjectsTable } from '#platform/database/schema';

export type ProjectRow = ProjectsTable;

/** False when the binding is taken in any workspace. */
export async function insertProject(db: Db, project: ProjectRow): Promise<boolean> {
  const inserted = await db
    .insertInto('projects')
    .values(project)
    .onConflict((conflict) => conflict.column('bindingPublicId').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function countProjects(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findProjectByBinding(db: Db, bindingPublicId: string): Promise<ProjectRow | null> {
  const row = await db
    .selectFrom('projects')
    .selectAll()
    .where('bindingPublicId', '=', bindingPublicId)
    .executeTakeFirst();
  return row ?? null;
}

/** The projects of the user's workspaces, or of one of them. */
export async function listProjects(
  db: Db,
  userId: string,
  workspaceId: string | null,
): Promise<ProjectRow[]> {
  let query = db
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.workspaceId', 'projects.workspaceId')
    .selectAll('projects')
    .where('memberships.userId', '=', userId);
  if (workspaceId !== null) query = query.where('projects.workspaceId', '=', workspaceId);
  return query.orderBy('projects.createdAt').orderBy('projects.id').execute();
}

export interface ProjectMembership {
  readonly role: Role;
  readonly workspaceId: string;
}

/** The user's membership of the project's workspace; null for non-members and for an unknown project. */
export async function findMembership(
  db: Db,
  userId: string,
  projectId: string,
): Promise<ProjectMembership | null> {
  const row = await db
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.workspaceId', 'projects.workspaceId')
    .select(['memberships.role', 'projects.workspaceId'])
    .where('projects.id', '=', projectId)
    .where('memberships.userId', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * What a project shows of its newest report, after one was finalized, changed or expired. The caller has locked the project:
 * of two transactions at the same moment, the later one sees what the earlier one did.
 */
export async function summarizeProject(tx: Tx, projectId: string): Promise<void> {
  const newest = tx
    .selectFrom('reports')
    .innerJoin('uploads', 'uploads.id', 'reports.uploadId')
    .where('reports.projectId', '=', projectId)
    .where('reports.state', '=', 'finalized')
    .orderBy('reports.finalizedAt', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(1);
  await tx
    .updateTable('projects')
    .set({
      lastReportAt: newest.select('reports.finalizedAt'),
      openFindings: newest.select('uploads.openFindings'),
    })
    .where('id', '=', projectId)
    .execute();
}

export async function deleteProject(db: Db, projectId: string): Promise<void> {
  await db.deleteFrom('projects').where('id', '=', projectId).execute();
}
