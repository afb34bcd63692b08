/** Lets pipelines ask which of their findings are set aside, so that gates do not count these findings. */
import type { Feature } from '#feature';
import { gateRoutes } from './routes.ts';
import { createGateService, type GatePorts } from './service.ts';

export function createGate(ports: GatePorts): Feature {
  return { routes: gateRoutes(createGateService(ports)), jobs: [] };
}
