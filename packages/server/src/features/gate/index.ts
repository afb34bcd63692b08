/** Tells pipelines which of their findings are set aside, before they judge them. */
import type { Feature } from '#feature';
import { gateRoutes } from './routes.ts';
import { createGateService, type GatePorts } from './service.ts';

export function createGate(ports: GatePorts): Feature {
  return { routes: gateRoutes(createGateService(ports)), jobs: [] };
}
