/** Progress over HTTP. */
import { endpoints } from '@svc/contract';
import { ok, route, streamRoute, type Route } from '#http/route';
import type { IngestService } from './ingest-service.ts';
import type { StreamService } from './stream-service.ts';

export function progressRoutes(ingest: IngestService, streams: StreamService): Route[] {
  return [
    route(endpoints.sendProgress, async ({ principal, params, body }) =>
      ok(await ingest.take(principal, params.id, body.events)),
    ),
    streamRoute(endpoints.streamEvents, async ({ principal, params, query, lastEventId }) => {
      const wish = { resume: query.resume === '1', lastEventId };
      const source = await streams.open(principal, params.id, wish);
      return source ? { status: 200, source } : { status: 204 };
    }),
  ];
}
