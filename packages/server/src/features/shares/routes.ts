/** Shares over HTTP: for owners of reports and for viewers. */
import { endpoints } from '@svc/contract';
import { created, ok, preparedRoute, route, type Route } from '#http/route';
import type { OpenService } from './open-service.ts';
import type { PreviewService } from './preview-service.ts';
import type { ShareService } from './service.ts';
import type { WorkspaceShareService } from './workspace-service.ts';

export interface ShareServices {
  readonly shares: ShareService;
  readonly ofWorkspace: WorkspaceShareService;
  readonly previews: PreviewService;
  readonly opening: OpenService;
}

export function shareRoutes({ shares, ofWorkspace, previews, opening }: ShareServices): Route[] {
  return [
    route(endpoints.listShares, async ({ principal, params }) =>
      ok({ shares: await shares.list(principal.userId, params.id) }),
    ),
    route(endpoints.listWorkspaceShares, async ({ principal, params }) =>
      ok({ shares: await ofWorkspace.list(principal.userId, params.id) }),
    ),
    route(endpoints.createShare, async ({ principal, params, body }) =>
      created(await shares.create(principal, params.id, body)),
    ),
    preparedRoute(endpoints.previewProjection, ({ principal, params, body, network }) =>
      previews.preview(principal.userId, params.id, network, body),
    ),
    route(endpoints.changeShare, async ({ principal, params, body }) =>
      ok({ share: await shares.change(principal.userId, params.shareId, body) }),
    ),
    route(endpoints.revokeShare, async ({ principal, params, query }) => {
      await shares.revoke(principal.userId, params.shareId, query.reportId);
      return ok({ shareId: params.shareId, revoked: true });
    }),
    preparedRoute(endpoints.readShare, ({ principal, params, sharePassword, isHead, network }) =>
      opening.read(
        { slug: params.slug, viewerId: principal?.userId ?? null, password: sharePassword, network },
        !isHead,
      ),
    ),
    preparedRoute(endpoints.exportShare, ({ principal, params, query, sharePassword, isHead, network }) =>
      opening.export(
        { slug: params.slug, viewerId: principal?.userId ?? null, password: sharePassword, network },
        { format: params.format, profile: query.profile, headOnly: isHead },
      ),
    ),
  ];
}
