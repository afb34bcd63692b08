/** The findings of a workspace, their trends and the overview, over HTTP. */
import { endpoints } from '@svc/contract';
import { ok, route, type Route } from '#http/route';
import type { ListService } from './list-service.ts';
import type { OverviewService } from './overview-service.ts';
import type { TrendsService } from './trends-service.ts';

export interface WorkspaceFindingsServices {
  readonly findings: ListService;
  readonly trends: TrendsService;
  readonly overview: OverviewService;
}

export function workspaceFindingsRoutes({ findings, trends, overview }: WorkspaceFindingsServices): Route[] {
  return [
    route(endpoints.listWorkspaceFindings, async ({ principal, params, query }) =>
      ok(await findings.list(principal.userId, params.id, query)),
    ),
    route(endpoints.getWorkspaceTrends, async ({ principal, params, query }) =>
      ok(await trends.read(principal.userId, params.id, query)),
    ),
    route(endpoints.getWorkspaceOverview, async ({ principal, params }) =>
      ok(await overview.read(principal.userId, params.id)),
    ),
  ];
}
