/** Reading and exports over HTTP. */
import { endpoints } from '@svc/contract';
import { preparedRoute, type Route } from '#http/route';
import type { ExportService } from './service.ts';

export function exportRoutes(exports: ExportService): Route[] {
  return [
    preparedRoute(endpoints.getReport, ({ principal, params, network }) =>
      exports.read(principal.userId, params.id, network),
    ),
    preparedRoute(endpoints.exportReport, ({ principal, params, query, isHead, network }) =>
      exports.export(principal.userId, params.id, network, {
        format: params.format,
        profile: query.profile,
        headOnly: isHead,
      }),
    ),
  ];
}
