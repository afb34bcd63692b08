/** Serves the signed release of the command line. */
import type { Feature } from '#feature';
import { updatesRoutes } from './routes.ts';
import { createUpdatesService, type UpdatesPorts } from './service.ts';

export function createUpdates(ports: UpdatesPorts): Feature {
  return { routes: updatesRoutes(createUpdatesService(ports)), jobs: [] };
}
