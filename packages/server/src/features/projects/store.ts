/** Projects. */
import type { Role } from '@svc/contract';
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import { FINALIZED } from '#platform/database/report-states';
import type { ProjectsTable } from '#platform/database/schema';

export type ProjectRow = ProjectsTable;

/** A literal in the query, so that the database can use the partial index of such projects. */
const NOTES_TO_CHECK = sql.lit<1>(1);

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
 * Updates what a project stores about its newest report, after a report became final or ended. The caller has locked
 * the project: of two transactions at the same moment, the later one sees what the earlier one did.
 */
export async function summarizeProject(tx: Tx, projectId: string): Promise<void> {
  await summarized(tx, { projectId });
}

const summarized = compiledOnce((db, { projectId }: { projectId: string }) => {
  const newest = db
    .selectFrom('reports')
    .select('reports.finalizedAt')
    .where('reports.projectId', '=', projectId)
    .where('reports.state', '=', FINALIZED)
    .orderBy('reports.finalizedAt', 'desc')
    .limit(1);
  return db
    .updateTable('projects')
    .set((eb) => ({
      lastReportAt: newest,
      findingsVersion: eb('findingsVersion', '+', 1),
    }))
    .where('id', '=', projectId);
});

/** The columns that change with the findings of a project. */
export type ProjectCounts = Pick<
  ProjectRow,
  'id' | 'openFindings' | 'reportsCounted' | 'decisionsMade' | 'lapsesAt' | 'notesKey' | 'notesBytes'
>;

/**
 * Locks the project, so that the later of two changes of its findings sees what the earlier one wrote. Null when it was
 * deleted.
 */
export async function lockCounts(tx: Tx, projectId: string): Promise<ProjectCounts | null> {
  const [row] = await lockedCounts(tx, { projectId });
  return row ?? null;
}

const lockedCounts = compiledOnce((db, { projectId }: { projectId: string }) =>
  db
    .selectFrom('projects')
    .select(['id', 'openFindings', 'reportsCounted', 'decisionsMade', 'lapsesAt', 'notesKey', 'notesBytes'])
    .where('id', '=', projectId)
    .forUpdate(),
);

export async function updateProject(tx: Tx, projectId: string, change: Partial<ProjectRow>): Promise<void> {
  await changed(tx, { projectId, change });
}

const changed = compiledOnce(
  (db, { projectId, change }: { projectId: string; change: Partial<ProjectRow> }) =>
    db
      .updateTable('projects')
      .set((eb) => ({ ...change, findingsVersion: eb('findingsVersion', '+', 1) }))
      .where('id', '=', projectId),
);

/** Projects with a decision that has lapsed by now. */
export async function listProjectsToLapse(db: Db, now: number, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('lapsesAt', '<=', now)
    .orderBy('lapsesAt')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** Projects in which a report has ended since their notes were last checked. */
export async function listProjectsWithNotesToCheck(db: Db, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('notesToCheck', '=', NOTES_TO_CHECK)
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

export interface WrappedNotesKey {
  readonly id: string;
  readonly wrappedKey: Uint8Array;
}

/** The wrapped keys of the notes of projects after an id, in the order of their ids. */
export async function listNotesKeys(db: Db, afterId: string, most: number): Promise<WrappedNotesKey[]> {
  return db
    .selectFrom('projects')
    .select(['id', 'notesKey as wrappedKey'])
    .where('id', '>', afterId)
    .where('notesKey', 'is not', null)
    .$narrowType<{ wrappedKey: Uint8Array }>()
    .orderBy('id')
    .limit(most)
    .execute();
}

export async function countNotesKeys(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('notesKey', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Does not change a key that was replaced or deleted meanwhile. */
export async function replaceNotesKey(
  tx: Tx,
  { id, wrappedKey }: WrappedNotesKey,
  rewrapped: Uint8Array,
): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ notesKey: rewrapped })
    .where('id', '=', id)
    .where('notesKey', '=', wrappedKey)
    .execute();
}

export async function deleteProject(db: Db, projectId: string): Promise<void> {
  await db.deleteFrom('projects').where('id', '=', projectId).execute();
}
