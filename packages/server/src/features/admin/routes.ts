/** Administration over HTTP. The HTTP binding has already checked that the caller is the administrator. */
import { endpoints, type AdminAuditEntry, type AuditHead } from '@svc/contract';
import { created, ok, preparedRoute, route, type Route } from '#http/route';
import type { GrantService } from './grant-service.ts';
import type { AdminHealthService } from './health-service.ts';
import type { OverviewService } from './overview-service.ts';
import type { SupportReadingService } from './reading-service.ts';
import type { AdminWorkspaceService } from './workspace-service.ts';

export interface AdminServices {
  readonly health: AdminHealthService;
  readonly overview: OverviewService;
  readonly workspaces: AdminWorkspaceService;
  readonly grants: Pick<GrantService, 'create' | 'list' | 'revoke'>;
  readonly reading: SupportReadingService;
  readonly audit: {
    ofAll(
      before: string | undefined,
    ): Promise<{ readonly entries: AdminAuditEntry[]; readonly head: AuditHead | null }>;
  };
}

export function adminRoutes(admin: AdminServices): Route[] {
  return [
    route(endpoints.getAdminHealth, async () => ok(await admin.health.get())),
    route(endpoints.getAdminOverview, async () => ok(await admin.overview.get())),
    route(endpoints.listAdminWorkspaces, async ({ query }) =>
      ok({ workspaces: await admin.workspaces.list(query) }),
    ),
    route(endpoints.changeWorkspacePlan, async ({ principal, params, body }) => {
      await admin.workspaces.changePlan(principal.userId, params.id, body.plan);
      return ok({ workspaceId: params.id, plan: body.plan });
    }),
    route(endpoints.listAdminAudit, async ({ query }) => ok(await admin.audit.ofAll(query.before))),
    route(endpoints.createSupportGrant, async ({ principal, body, network }) => {
      const asking = { userId: principal.userId, network };
      return created({ grant: await admin.grants.create(asking, body) });
    }),
    route(endpoints.listSupportGrants, async () => ok({ grants: await admin.grants.list() })),
    route(endpoints.revokeSupportGrant, async ({ principal, params }) => {
      await admin.grants.revoke(principal.userId, params.id);
      return ok({ grantId: params.id, revoked: true });
    }),
    preparedRoute(endpoints.readForSupport, ({ principal, params, network }) =>
      admin.reading.read(principal.userId, params.id, network),
    ),
  ];
}
