/** Projects: each binding has one project, however often it is created and on whichever machine. */
import type { Project, SeverityCounts } from '@svc/contract';
import { AppError } from '#app-error';
import { chargedTransaction } from '#platform/charged-transaction';
import { isoTime, isoTimeOrNull, type Clock } from '#platform/clock';
import type { CreationCaps } from '#platform/creation-caps';
import type { Database, Db, Tx } from '#platform/database/database';
import { isRecordId, type Ids } from '#platform/ids';
import type { Throttles } from '#platform/throttles';
import { requireMembership } from '#features/workspaces';
import * as store from './store.ts';
import type { ProjectMembership, ProjectRow } from './store.ts';

export interface ProjectPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly caps: CreationCaps;
  readonly throttles: Pick<Throttles, 'chargeIfDue'>;
  /** Expires the reports of a project that is being deleted. */
  readonly reports: {
    readonly expireAll: (
      tx: Tx,
      belonging: { readonly projectId: string },
      deletedBy: string,
    ) => Promise<void>;
  };
  /** Records the ends of decisions that have lapsed. */
  readonly lapses: {
    isDue(lapsing: { readonly lapsesAt: number | null }): boolean;
    settleProject(projectId: string): Promise<void>;
  };
  /** Marks the findings of a tool as no longer present. */
  readonly forgetTool: (tx: Tx, projectId: string, name: string) => Promise<void>;
}

export interface ProjectService {
  /**
   * @throws AppError NOT_FOUND for a workspace that is not the user's; CONFLICT for a binding in another workspace, and
   * for a new binding when the workspace has the maximum number of projects; RATE_LIMITED for a new binding.
   */
  create(
    userId: string,
    given: { readonly workspaceId: string; readonly name: string; readonly bindingPublicId: string },
  ): Promise<{ projectId: string; created: boolean }>;
  list(userId: string, workspaceId: string | null): Promise<Project[]>;
  /** @throws AppError NOT_FOUND; FORBIDDEN for members; RATE_LIMITED. */
  delete(userId: string, projectId: string): Promise<void>;
  /** Stops counting the findings of the tool. @throws AppError NOT_FOUND; FORBIDDEN for members. */
  deleteTool(userId: string, projectId: string, name: string): Promise<void>;
  /** @throws AppError NOT_FOUND unless the project is in a workspace of the user. */
  require(userId: string, projectId: string): Promise<ProjectMembership>;
}

export function createProjectService(ports: ProjectPorts): ProjectService {
  const { database, clock, ids, caps, reports, lapses } = ports;

  /**
   * Runs one at a time for a workspace, so that parallel calls stay within the limit.
   * @returns false when the binding is taken.
   */
  async function insert(tx: Tx, project: ProjectRow, due: () => void): Promise<boolean> {
    const { workspaceId } = project;
    await database.lockNames(tx, [`projects ${workspaceId}`]);
    if (!(await store.insertProject(tx, project))) return false;
    due();
    const most = caps.projectsPerWorkspace;
    if ((await store.countProjects(tx, workspaceId)) > most) {
      throw new AppError('CONFLICT', {
        message: `The workspace has ${most} projects, which is the limit. Delete one, or bind the repository to another workspace.`,
      });
    }
    return true;
  }

  return {
    create: (userId, { workspaceId, name, bindingPublicId }) =>
      chargedTransaction(ports, userId, async (tx, due) => {
        await requireMembership(tx, userId, workspaceId);
        const project: ProjectRow = {
          id: ids.timed('prj'),
          workspaceId,
          name: name.trim(),
          bindingPublicId,
          createdAt: clock.now(),
          lastReportAt: null,
          openFindings: null,
          findingsVersion: 0,
          reportsCounted: 0,
          decisionsMade: 0,
          lapsesAt: null,
          notesKey: null,
          notesBytes: 0,
          notesToCheck: 0,
        };
        const known = await store.findProjectByBinding(tx, bindingPublicId);
        if (!known && (await insert(tx, project, due))) return { projectId: project.id, created: true };
        const existing = known ?? (await store.findProjectByBinding(tx, bindingPublicId));
        if (existing?.workspaceId === workspaceId) return { projectId: existing.id, created: false };
        throw new AppError('CONFLICT', {
          message:
            'This repository is bound to another workspace. To bind this copy to this workspace, use a new binding.',
        });
      }),

    async list(userId, workspaceId) {
      if (workspaceId !== null) await requireMembership(database.read, userId, workspaceId);
      const found = await store.listProjects(database.read, userId, workspaceId);
      const due = found.filter(lapses.isDue);
      for (const { id } of due) await lapses.settleProject(id);
      const rows = due.length === 0 ? found : await store.listProjects(database.read, userId, workspaceId);
      return rows.map(toProject);
    },

    delete: (userId, projectId) =>
      chargedTransaction(ports, userId, async (tx, due) => {
        await requireOwner(tx, userId, projectId);
        due();
        await reports.expireAll(tx, { projectId }, userId);
        await store.deleteProject(tx, projectId);
      }),

    deleteTool: (userId, projectId, name) =>
      database.transaction(async (tx) => {
        await requireOwner(tx, userId, projectId);
        await ports.forgetTool(tx, projectId, name);
      }),

    require: (userId, projectId) => requireMember(database.read, userId, projectId),
  };
}

/** @throws AppError NOT_FOUND for everyone outside of the project's workspace, as for an unknown project. */
async function requireMember(db: Db, userId: string, projectId: string): Promise<ProjectMembership> {
  const membership = isRecordId('prj', projectId) ? await store.findMembership(db, userId, projectId) : null;
  if (membership === null) throw new AppError('NOT_FOUND');
  return membership;
}

/** @throws AppError NOT_FOUND; FORBIDDEN for members. */
async function requireOwner(db: Db, userId: string, projectId: string): Promise<void> {
  if ((await requireMember(db, userId, projectId)).role !== 'owner')
    throw new AppError('FORBIDDEN', { message: 'Only an owner of the workspace can do this.' });
}

function toProject(row: ProjectRow): Project {
  return {
    projectId: row.id,
    workspaceId: row.workspaceId,
    name: row.name,
    bindingPublicId: row.bindingPublicId,
    createdAt: isoTime(row.createdAt),
    lastReportAt: isoTimeOrNull(row.lastReportAt),
    openFindings: row.openFindings === null ? null : (JSON.parse(row.openFindings) as SeverityCounts),
  };
}
