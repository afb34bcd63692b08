/** Product analytics: daily counts of how the product is used. */
import type { Feature } from '#feature';
import { analyticsRoutes } from './routes.ts';
import { createAnalyticsService, type AnalyticsPorts } from './service.ts';

export function createAnalytics(ports: AnalyticsPorts): Feature {
  const analytics = createAnalyticsService(ports);
  return { routes: analyticsRoutes(analytics), jobs: [analytics.job] };
}
