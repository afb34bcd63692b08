/** Liveness, readiness and the description of the API. */
import type { Feature } from '#feature';
import { healthRoutes } from './routes.ts';
import { createHealthService, type HealthPorts } from './service.ts';

export function createHealth(ports: HealthPorts): Feature {
  return { routes: healthRoutes(createHealthService(ports)), jobs: [] };
}
