/** Findings over HTTP. */
import { endpoints } from '@svc/contract';
import { ok, route, type Route } from '#http/route';
import type { FindingService } from './service.ts';

export function findingRoutes(findings: FindingService): Route[] {
  return [
    route(endpoints.compareReports, async ({ principal, params, query }) =>
      ok(await findings.compare(principal.userId, params.id, query.with)),
    ),
    route(endpoints.changeFindingStatus, async ({ principal, params, body }) =>
      ok({ finding: await findings.move(principal.userId, params.id, params.findingId, body.status) }),
    ),
  ];
}
