/** Workspaces: their projects and members. */
import type { Tx } from '#platform/database/database';
import type { Feature } from '#feature';
import { createWorkspaceAuditService } from './audit-service.ts';
import { createInvitationService, type InvitationService } from './invitation-service.ts';
import { workspaceRoutes } from './routes.ts';
import {
  createWorkspace,
  createWorkspaceService,
  leaveAllWorkspaces,
  type WorkspacePorts,
  type WorkspaceService,
} from './service.ts';

export { setPlan } from './plan-service.ts';
export { requireMembership } from './service.ts';

export interface WorkspacesFeature extends Feature {
  readonly createPersonalWorkspace: (tx: Tx, userId: string) => Promise<void>;
  /** @throws AppError CONFLICT with the workspaces that would be left without an owner. */
  readonly leaveAllWorkspaces: (tx: Tx, userId: string) => Promise<void>;
  readonly describeInvitation: InvitationService['describe'];
  readonly isInvitationOpen: InvitationService['isOpen'];
  readonly list: WorkspaceService['list'];
}

export function createWorkspaces(ports: WorkspacePorts): WorkspacesFeature {
  const invitations = createInvitationService(ports);
  const workspaces = createWorkspaceService(ports);
  return {
    routes: workspaceRoutes(
      workspaces,
      invitations,
      createWorkspaceAuditService(ports.database, ports.audit),
    ),
    jobs: [invitations.job],
    async createPersonalWorkspace(tx, userId) {
      await createWorkspace(tx, ports, userId, { name: 'Personal', kind: 'personal' });
    },
    leaveAllWorkspaces: (tx, userId) => leaveAllWorkspaces(tx, ports, userId),
    describeInvitation: invitations.describe,
    isInvitationOpen: invitations.isOpen,
    list: workspaces.list,
  };
}
