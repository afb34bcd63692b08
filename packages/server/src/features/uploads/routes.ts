/** Uploads over HTTP. */
import { endpoints } from '@svc/contract';
import { created, ok, route, type Route } from '#http/route';
import type { FinalizeService } from './finalize-service.ts';
import type { UploadService } from './service.ts';

export function uploadRoutes(uploads: UploadService, finalizing: FinalizeService): Route[] {
  return [
    route(endpoints.createUploadIntent, async ({ principal, params, body }) =>
      created(await uploads.declare(principal, params.id, body)),
    ),
    route(endpoints.uploadReport, async ({ principal, params, bytes }) =>
      ok(await uploads.receive(principal, params.uploadId, bytes)),
    ),
    route(endpoints.finalizeReport, async ({ principal, params, body }) =>
      ok(await finalizing.finalize(principal, params.id, body)),
    ),
  ];
}
