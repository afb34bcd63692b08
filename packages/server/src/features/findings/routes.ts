/** Findings over HTTP. */
import { endpoints } from '@svc/contract';
import { ok, route, type Route } from '#http/route';
import type { Appearances } from './appearances-service.ts';
import type { DecidingService } from './deciding-service.ts';
import type { DecisionsReading } from './decisions-service.ts';
import type { FindingService } from './service.ts';
import type { Undo } from './undo-service.ts';

export interface FindingServices {
  readonly findings: FindingService;
  readonly deciding: DecidingService;
  readonly decisions: DecisionsReading;
  readonly undo: Undo;
  readonly appearances: Appearances;
}

export function findingRoutes({
  findings,
  deciding,
  decisions,
  undo,
  appearances,
}: FindingServices): Route[] {
  return [
    route(endpoints.compareReports, async ({ principal, params, query }) =>
      ok(await findings.compare(principal.userId, params.id, query.with)),
    ),
    route(endpoints.getReportChanges, async ({ principal, params }) =>
      ok(await findings.changesOf(principal.userId, params.id)),
    ),
    route(endpoints.changeFindingStatus, async ({ principal, params, body }) =>
      ok({ finding: await deciding.decideOne(principal.userId, params.id, params.findingId, body) }),
    ),
    route(endpoints.changeFindings, async ({ principal, params, body: { findingIds, ...body } }) =>
      ok(await deciding.decideAll(principal.userId, params.id, findingIds, body)),
    ),
    route(endpoints.undoDecisions, async ({ principal, params, body }) =>
      ok(await undo(principal.userId, params.id, body.undoId)),
    ),
    route(endpoints.listDecisions, async ({ principal, params, query }) =>
      ok(await decisions.ofFinding(principal.userId, params.id, params.findingId, query)),
    ),
    route(endpoints.listAppearances, async ({ principal, params }) =>
      ok(await appearances(principal.userId, params.id, params.findingId)),
    ),
  ];
}
