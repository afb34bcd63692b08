/** Searches the findings that are present in the projects of a workspace, and shows how they change. */
import type { Feature } from '#feature';
import { createListService, type ListPorts } from './list-service.ts';
import { createOverviewService, type OverviewService } from './overview-service.ts';
import { workspaceFindingsRoutes } from './routes.ts';
import { textsOf, type TextsPorts } from './texts.ts';
import { createTrendsService, type TrendsPorts, type TrendsService } from './trends-service.ts';
import { createViews } from './views.ts';

export interface WorkspaceFindingsFeature extends Feature {
  readonly overview: OverviewService['read'];
  readonly trends: TrendsService['read'];
}

export function createWorkspaceFindings(
  ports: ListPorts & TrendsPorts & TextsPorts,
): WorkspaceFindingsFeature {
  const { database, clock } = ports;
  const views = createViews(database.read, clock, { textsOf: (reports) => textsOf(ports, reports) });
  const trends = createTrendsService(ports, views);
  const overview = createOverviewService(ports, views);
  return {
    routes: workspaceFindingsRoutes({ findings: createListService(ports, views), trends, overview }),
    jobs: [],
    overview: overview.read,
    trends: trends.read,
  };
}
