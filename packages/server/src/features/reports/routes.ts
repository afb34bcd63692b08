/** Reports over HTTP. */
import { endpoints } from '@svc/contract';
import { created, ok, route, type Route } from '#http/route';
import type { ExpiryService } from './expiry-service.ts';
import type { ReportService } from './service.ts';

export function reportRoutes(reports: ReportService, expiry: ExpiryService): Route[] {
  return [
    route(endpoints.createReport, async ({ principal, body }) => {
      const { made, state, shell } = await reports.create(principal, body);
      return made ? created({ ...shell, state: 'live' }) : ok({ ...shell, state });
    }),
    route(endpoints.listReports, async ({ principal, query }) =>
      ok({ reports: await reports.list(principal, query) }),
    ),
    route(endpoints.deleteReport, async ({ principal, params }) => {
      await expiry.delete(principal, params.id);
      return ok({ reportId: params.id, deleted: true });
    }),
  ];
}
