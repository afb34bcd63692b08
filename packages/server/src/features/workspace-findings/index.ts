/** Searches the findings that are present in the projects of a workspace, and shows how they change. */
import type { Feature } from '#feature';
import { createListService, type ListPorts } from './list-service.ts';
import { createOverviewService } from './overview-service.ts';
import { workspaceFindingsRoutes } from './routes.ts';
import { textsOf, type TextsPorts } from './texts.ts';
import { createTrendsService, type TrendsPorts } from './trends-service.ts';
import { createViews } from './views.ts';

export function createWorkspaceFindings(ports: ListPorts & TrendsPorts & TextsPorts): Feature {
  const { database, clock } = ports;
  const views = createViews(database.read, clock, { textsOf: (reports) => textsOf(ports, reports) });
  return {
    routes: workspaceFindingsRoutes({
      findings: createListService(ports, views),
      trends: createTrendsService(ports, views),
      overview: createOverviewService(ports, views),
    }),
    jobs: [],
  };
}
