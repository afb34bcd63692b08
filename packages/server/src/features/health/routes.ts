/** Liveness, readiness and the API's own description. */
import { endpoints } from '@svc/contract';
import { openApiDocument } from '@svc/contract/openapi';
import { reportJsonSchema } from '@svc/report';
import { ok, route, type Route } from '#http/route';
import type { HealthService } from './service.ts';

export function healthRoutes(health: HealthService): Route[] {
  let document: ReturnType<typeof openApiDocument> | undefined;
  let reportSchema: ReturnType<typeof reportJsonSchema> | undefined;
  return [
    route(endpoints.getHealth, async () => ok({ status: 'ok', version: health.version })),
    route(endpoints.getReady, async () => {
      const { ready, checks } = await health.ready();
      return ready
        ? ok({ status: 'ready', checks })
        : ({ status: 503, body: { status: 'unavailable', checks } } as const);
    }),
    route(endpoints.getOpenApi, async () => ok((document ??= openApiDocument(health.version)))),
    route(endpoints.getReportSchema, async () => ok((reportSchema ??= reportJsonSchema()))),
  ];
}
