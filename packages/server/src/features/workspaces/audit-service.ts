/** The audit log of a workspace, for its owners. */
import type { WorkspaceAuditEntry } from '@svc/contract';
import type { AuditReading } from '#features/audit';
import type { Database } from '#platform/database/database';
import { requireMembership, requireOwner } from './service.ts';

export interface WorkspaceAuditService {
  /**
   * @throws AppError NOT_FOUND, FORBIDDEN for members; VALIDATION_FAILED for a position outside the workspace's log.
   */
  list(userId: string, workspaceId: string, before: string | undefined): Promise<WorkspaceAuditEntry[]>;
}

export function createWorkspaceAuditService(
  database: Database,
  audit: Pick<AuditReading, 'ofWorkspace'>,
): WorkspaceAuditService {
  return {
    async list(userId, workspaceId, before) {
      requireOwner(await requireMembership(database.read, userId, workspaceId));
      return audit.ofWorkspace(workspaceId, before);
    },
  };
}
