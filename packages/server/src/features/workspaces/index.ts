/** Workspaces: where projects live and who may see them. */
import type { Tx } from '#platform/database/database';
import type { Feature } from '#feature';
import { createInvitationService, type InvitationService } from './invitation-service.ts';
import { workspaceRoutes } from './routes.ts';
import { createWorkspace, createWorkspaceService, type WorkspacePorts } from './service.ts';

export { leaveAllWorkspaces, requireMembership } from './service.ts';

export interface WorkspacesFeature extends Feature {
  readonly createPersonalWorkspace: (tx: Tx, userId: string) => Promise<void>;
  readonly describeInvitation: InvitationService['describe'];
}

export function createWorkspaces(ports: WorkspacePorts): WorkspacesFeature {
  const invitations = createInvitationService(ports);
  return {
    routes: workspaceRoutes(createWorkspaceService(ports), invitations),
    jobs: [invitations.job],
    async createPersonalWorkspace(tx, userId) {
      await createWorkspace(tx, ports, userId, { name: 'Personal', kind: 'personal' });
    },
    describeInvitation: invitations.describe,
  };
}
