/** The quota over HTTP. */
import { endpoints } from '@svc/contract';
import { ok, route, type Route } from '#http/route';
import type { QuotaService } from './service.ts';

export function quotaRoutes(quota: QuotaService): Route[] {
  return [
    route(endpoints.getSyncQuota, async ({ principal, query }) =>
      ok(await quota.get(principal.userId, query.workspaceId ?? null)),
    ),
  ];
}
