/** Product analytics over HTTP: clients send events, and the administrator reads counts. */
import { endpoints } from '@svc/contract';
import { ok, route, type Route } from '#http/route';
import type { AnalyticsService } from './service.ts';

export function analyticsRoutes(analytics: AnalyticsService): Route[] {
  return [
    route(endpoints.sendAnalytics, async ({ principal, body }) =>
      ok({ accepted: await analytics.count(principal.userId, body.events) }),
    ),
    route(endpoints.getAnalytics, async ({ query }) => ok({ days: await analytics.read(query.days) })),
  ];
}
