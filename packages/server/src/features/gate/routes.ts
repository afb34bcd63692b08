/** Decisions for gates, over HTTP. */
import { endpoints } from '@svc/contract';
import { ok, route, type Route } from '#http/route';
import type { GateService } from './service.ts';

export function gateRoutes(gate: GateService): Route[] {
  return [
    route(endpoints.queryDecisions, async ({ principal, params, body }) =>
      ok({ decisions: await gate.query(principal, params.id, body.fingerprints) }),
    ),
  ];
}
