/** Shares over HTTP: for owners of reports and for viewers. */
import { endpoints, type Endpoints } from '@svc/contract';
import { created, ok, preparedRoute, route, type Call, type Route } from '#http/route';
import type { OpenService, Visit } from './open-service.ts';
import type { PreviewService } from './preview-service.ts';
import type { ShareService } from './service.ts';
import type { WorkspaceShareService } from './workspace-service.ts';

export interface ShareServices {
  readonly shares: ShareService;
  readonly ofWorkspace: WorkspaceShareService;
  readonly previews: PreviewService;
  readonly opening: OpenService;
}

/** The value of the query parameter `cover` that requests the cover. */
const WANTED = '1';

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
    preparedRoute(endpoints.previewProjection, ({ principal, params, query, body, network }) =>
      previews.preview(
        { userId: principal.userId, network, wantsCover: query.cover === WANTED },
        params.id,
        body,
      ),
    ),
    route(endpoints.changeShare, async ({ principal, params, body }) =>
      ok({ share: await shares.change(principal.userId, params.shareId, body) }),
    ),
    route(endpoints.revokeShare, async ({ principal, params, query }) => {
      await shares.revoke(principal.userId, params.shareId, query.reportId);
      return ok({ shareId: params.shareId, revoked: true });
    }),
    preparedRoute(endpoints.readShare, (call) =>
      opening.read(visitOf(call), { isView: !call.isHead, wantsCover: call.query.cover === WANTED }),
    ),
    route(endpoints.unlockShare, async ({ principal, params, body, network }) =>
      ok(
        await opening.unlock({
          slug: params.slug,
          viewerId: principal?.userId ?? null,
          password: Buffer.from(body.password),
          unlockToken: undefined,
          network,
        }),
      ),
    ),
    preparedRoute(endpoints.exportShare, (call) =>
      opening.export(visitOf(call), {
        format: call.params.format,
        profile: call.query.profile,
        headOnly: call.isHead,
      }),
    ),
  ];
}

function visitOf({
  principal,
  params,
  sharePassword,
  shareUnlock,
  network,
}: Pick<
  Call<Endpoints['readShare']>,
  'principal' | 'params' | 'sharePassword' | 'shareUnlock' | 'network'
>): Visit {
  return {
    slug: params.slug,
    viewerId: principal?.userId ?? null,
    password: sharePassword,
    unlockToken: shareUnlock,
    network,
  };
}
