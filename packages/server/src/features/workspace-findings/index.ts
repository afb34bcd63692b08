/** Searches the findings that are present in the projects of a workspace, and shows how they change. */
import type { Feature } from '#feature';
import { createListService, type ListPorts, type ListService } from './list-service.ts';
import { createOverviewService, type OverviewService } from './overview-service.ts';
import type { ProjectViewPorts } from './project-view.ts';
import { workspaceFindingsRoutes } from './routes.ts';
import { createTrendsService, type TrendsPorts, type TrendsService } from './trends-service.ts';
import { createViews } from './views.ts';

export interface WorkspaceFindingsFeature extends Feature {
  readonly list: ListService['list'];
  readonly overview: OverviewService['read'];
  readonly trends: TrendsService['read'];
}

export function createWorkspaceFindings(
  ports: ListPorts & TrendsPorts & ProjectViewPorts,
): WorkspaceFindingsFeature {
  const { database, clock } = ports;
  const views = createViews(database.read, clock, ports);
  const trends = createTrendsService(ports, views);
  const overview = createOverviewService(ports, views);
  const findings = createListService(ports, views);
  return {
    routes: workspaceFindingsRoutes({ findings, trends, overview }),
    jobs: [],
    list: findings.list,
    overview: overview.read,
    trends: trends.read,
  };
}
