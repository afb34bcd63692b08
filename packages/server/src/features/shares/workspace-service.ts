/**
 * The active shares of a workspace, without their policies, so that its owners see what is open to whom. A member who
 * is not an owner, or who is the platform administrator, sees only the shares of their own reports.
 */
import type { WorkspaceShare } from '@svc/contract';
import { isAdministratorId } from '#features/auth';
import { requireMembership } from '#features/workspaces';
import { isoTime, isoTimeOrNull, type Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import * as store from './store.ts';
import type { ViewCounts } from './view-counts.ts';

export interface WorkspaceSharePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly platformAdminEmail: string | null;
}

export interface WorkspaceShareService {
  /** @throws AppError NOT_FOUND for anyone who is not a member. */
  list(userId: string, workspaceId: string): Promise<WorkspaceShare[]>;
}

export function createWorkspaceShareService(
  { database, clock, platformAdminEmail }: WorkspaceSharePorts,
  views: Pick<ViewCounts, 'pendingOf'>,
): WorkspaceShareService {
  const db = database.read;
  return {
    async list(userId, workspaceId) {
      const { role } = await requireMembership(db, userId, workspaceId);
      const seesAll = role === 'owner' && !(await isAdministratorId(db, userId, platformAdminEmail));
      const rows = await store.listWorking(db, {
        workspaceId,
        ownerId: seesAll ? null : userId,
        now: clock.now(),
      });
      return rows.map((row) => {
        const pending = views.pendingOf(row.id);
        const lastViewedAt = Math.max(row.lastViewedAt ?? 0, pending?.lastViewedAt ?? 0);
        return {
          id: row.id,
          reportId: row.reportId,
          projectName: row.projectName ?? row.nameOfProject ?? '',
          ownerId: row.ownerId,
          ownerName: row.ownerName,
          label: row.label,
          mode: row.mode,
          hasPassword: row.hasPassword === 1,
          anonymousAllowed: row.anonymousAllowed === 1,
          createdAt: isoTime(row.createdAt),
          expiresAt: isoTimeOrNull(row.expiresAt),
          viewCount: row.viewCount + (pending?.count ?? 0),
          lastViewedAt: lastViewedAt === 0 ? null : isoTime(lastViewedAt),
        };
      });
    },
  };
}
