/** The findings of a workspace, and their trends, over HTTP. */
import { endpoints } from '@svc/contract';
import { ok, route, type Route } from '#http/route';
import type { ListService } from './list-service.ts';
import type { TrendsService } from './trends-service.ts';

export function workspaceFindingsRoutes(findings: ListService, trends: TrendsService): Route[] {
  return [
    route(endpoints.listWorkspaceFindings, async ({ principal, params, query }) =>
      ok(await findings.list(principal.userId, params.id, query)),
    ),
    route(endpoints.getWorkspaceTrends, async ({ principal, params, query }) =>
      ok(await trends.read(principal.userId, params.id, query)),
    ),
  ];
}
