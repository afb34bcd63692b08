/** Liveness, readiness and the description of the API. */
import type { ReadyChecks } from '@svc/contract';
import type { Feature } from '#feature';
import { healthRoutes } from './routes.ts';
import { createHealthService, type HealthPorts } from './service.ts';

interface HealthFeature extends Feature {
  /** The state of each dependency, at most a second old. */
  readonly checks: () => Promise<ReadyChecks>;
}

export function createHealth(ports: HealthPorts): HealthFeature {
  const service = createHealthService(ports);
  return {
    routes: healthRoutes(service),
    jobs: [],
    checks: async () => (await service.ready()).checks,
  };
}
