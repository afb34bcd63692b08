/** Searches what is present in the projects of a workspace, and shows how it changes. */
import type { Feature } from '#feature';
import { createListService, type ListPorts } from './list-service.ts';
import { workspaceFindingsRoutes } from './routes.ts';
import { textsOf, type TextsPorts } from './texts.ts';
import { createTrendsService, type TrendsPorts } from './trends-service.ts';
import { createViews } from './views.ts';

export function createWorkspaceFindings(ports: ListPorts & TrendsPorts & TextsPorts): Feature {
  const { database, clock } = ports;
  const views = createViews(database.read, clock, { textsOf: (reports) => textsOf(ports, reports) });
  const list = createListService(ports, views);
  return { routes: workspaceFindingsRoutes(list, createTrendsService(ports, views)), jobs: [] };
}
