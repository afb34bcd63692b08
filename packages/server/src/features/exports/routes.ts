/** Reading and exports over HTTP. */
import { endpoints } from '@svc/contract';
import { preparedRoute, type Route } from '#http/route';
import type { ExportService } from './service.ts';

export function exportRoutes(exports: ExportService): Route[] {
  return [
    preparedRoute(endpoints.getReport, ({ principal, params }) => exports.read(principal.userId, params.id)),
    preparedRoute(endpoints.exportReport, ({ principal, params, query, isHead }) =>
      exports.export(principal.userId, params.id, {
        format: params.format,
        profile: query.profile,
        headOnly: isHead,
      }),
    ),
  ];
}
