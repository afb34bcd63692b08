/** Workspaces, members and invitations over HTTP. */
import { endpoints } from '@svc/contract';
import { created, ok, route, type Route } from '#http/route';
import type { WorkspaceAuditService } from './audit-service.ts';
import type { InvitationService } from './invitation-service.ts';
import type { WorkspaceService } from './service.ts';

export function workspaceRoutes(
  workspaces: WorkspaceService,
  invitations: InvitationService,
  audit: WorkspaceAuditService,
): Route[] {
  return [
    route(endpoints.listWorkspaces, async ({ principal }) =>
      ok({ workspaces: await workspaces.list(principal.userId) }),
    ),
    route(endpoints.createWorkspace, async ({ principal, body }) =>
      created({ workspaceId: await workspaces.createTeam(principal.userId, body.name) }),
    ),
    route(endpoints.deleteWorkspace, async ({ principal, params }) => {
      await workspaces.delete(principal.userId, params.id);
      return ok({ workspaceId: params.id, deleted: true });
    }),
    route(endpoints.listMembers, async ({ principal, params }) =>
      ok({ members: await workspaces.listMembers(principal.userId, params.id) }),
    ),
    route(endpoints.changeMember, async ({ principal, params, body, network }) => {
      const by = { userId: principal.userId, network, password: body.password };
      await workspaces.changeRole(by, { workspaceId: params.id, memberId: params.userId }, body.role);
      return ok({ userId: params.userId, role: body.role });
    }),
    route(endpoints.removeMember, async ({ principal, params }) => {
      await workspaces.removeMember(principal.userId, params.id, params.userId);
      return ok({ userId: params.userId, deleted: true });
    }),
    route(endpoints.listWorkspaceAudit, async ({ principal, params, query }) =>
      ok({ entries: await audit.list(principal.userId, params.id, query.before) }),
    ),
    route(endpoints.createInvitation, async ({ principal, params }) =>
      created(await invitations.create(principal.userId, params.id)),
    ),
    route(endpoints.listInvitations, async ({ principal, params }) =>
      ok({ invitations: await invitations.list(principal.userId, params.id) }),
    ),
    route(endpoints.revokeInvitation, async ({ principal, params }) => {
      await invitations.revoke(principal.userId, params.token);
      return ok({ invitationId: params.token, revoked: true });
    }),
    route(endpoints.getInvitation, async ({ params }) => ok(await invitations.describe(params.token))),
    route(endpoints.acceptInvitation, async ({ principal, params }) =>
      ok(await invitations.accept(params.token, principal.userId)),
    ),
  ];
}
