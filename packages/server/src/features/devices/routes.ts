/** Device links and devices over HTTP. */
import { endpoints, type User } from '@svc/contract';
import { created, ok, route, type Route } from '#http/route';
import type { DeviceService } from './device-service.ts';
import type { LinkService } from './link-service.ts';

export function deviceRoutes(
  links: LinkService,
  devices: DeviceService,
  getUser: (userId: string) => Promise<User>,
): Route[] {
  return [
    route(endpoints.createDeviceLink, async ({ body, network }) =>
      created(await links.create(body, network)),
    ),
    route(endpoints.getDeviceLinkStatus, async ({ params, network }) =>
      ok(await links.status(params.id, network)),
    ),
    route(endpoints.getDeviceLink, async ({ params }) => ok(await links.describe(params.id))),
    route(endpoints.approveDeviceLink, async ({ params, principal, body }) => {
      await links.approve(params.id, principal, body);
      return ok({ approved: true });
    }),
    route(endpoints.denyDeviceLink, async ({ params, principal }) => {
      await links.deny(params.id, principal.userId);
      return ok({ denied: true });
    }),
    route(endpoints.exchangeDeviceLink, async ({ params, body }) =>
      ok(await links.exchange(params.id, body.verifier)),
    ),

    route(endpoints.listDevices, async ({ principal }) =>
      ok({ devices: await devices.list(principal.userId) }),
    ),
    route(endpoints.revokeDevice, async ({ principal, params }) => {
      await devices.revoke(principal.userId, params.id);
      return ok({ deviceId: params.id, revoked: true });
    }),
    route(endpoints.getCurrentDevice, async ({ principal }) =>
      ok({
        device: await devices.get(principal.userId, principal.deviceId),
        user: await getUser(principal.userId),
      }),
    ),
    route(endpoints.revokeCurrentDevice, async ({ principal }) => {
      await devices.revoke(principal.userId, principal.deviceId);
      return ok({ deviceId: principal.deviceId, revoked: true });
    }),
  ];
}
