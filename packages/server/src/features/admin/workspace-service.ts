/** Workspaces as the administrator sees them: owners, counts and plan. */
import { isTime, limits, normalizeEmail, type AdminWorkspace, type Plan } from '@svc/contract';
import { AppError, validationFailed } from '#app-error';
import type { AuditRecorder } from '#features/audit';
import { setPlan } from '#features/workspaces';
import { isoTime } from '#platform/clock';
import type { Database } from '#platform/database/database';
import { isRecordId, lowestTimedId } from '#platform/ids';
import * as store from './store.ts';

export interface AdminWorkspaceService {
  list(query: { readonly before?: string; readonly email?: string }): Promise<AdminWorkspace[]>;
  /** @throws AppError NOT_FOUND */
  changePlan(userId: string, workspaceId: string, plan: Plan): Promise<void>;
}

export interface AdminWorkspacePorts {
  readonly database: Database;
  readonly audit: Pick<AuditRecorder, 'record'>;
}

export function createAdminWorkspaceService({ database, audit }: AdminWorkspacePorts): AdminWorkspaceService {
  return {
    async list({ before, email }) {
      const newest = await store.listWorkspaces(database.read, {
        before: before === undefined ? undefined : placeOf(before),
        email: email === undefined ? undefined : normalizeEmail(email).replaceAll('\0', ''),
        most: limits.workspacesListedMax,
      });
      return newest.toReversed().map(({ id, createdAt, ...row }) => ({
        workspaceId: id,
        name: row.name,
        kind: row.kind,
        plan: row.plan,
        ownerEmail: row.ownerEmail,
        members: row.members,
        projects: row.projects,
        reports: row.reports,
        createdAt: isoTime(createdAt),
      }));
    },

    async changePlan(userId, workspaceId, plan) {
      const change = { workspaceId, plan, actorId: userId };
      if (!(await database.transaction((tx) => setPlan(tx, audit, change)))) throw new AppError('NOT_FOUND');
    },
  };
}

/** The id before which a page ends. For a time it is the lowest id of that time, because ids sort by creation time. */
function placeOf(before: string): string {
  if (isTime(before)) return lowestTimedId('ws', Date.parse(before));
  if (isRecordId('ws', before)) return before;
  throw validationFailed({ path: '/before', message: 'must be a time or the id of a workspace' });
}
