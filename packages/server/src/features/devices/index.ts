/** Devices: how a machine is linked to an account, and how it authenticates afterwards. */
import type { User } from '@svc/contract';
import type { Feature } from '#feature';
import { createDeviceService, type DeviceService } from './device-service.ts';
import { createLinkService, type DevicePorts, type LinkService } from './link-service.ts';
import { deviceRoutes } from './routes.ts';

export { createDeviceService, requireDevice } from './device-service.ts';
export { rejectClientVersion, type ClientVersionRules } from './client-version.ts';

export interface DevicesFeature extends Feature {
  readonly findDevice: DeviceService['find'];
  readonly revokeAll: DeviceService['revokeAll'];
  readonly describeLink: LinkService['describe'];
}

export function createDevices(
  ports: DevicePorts & { getUser: (userId: string) => Promise<User> },
): DevicesFeature {
  const links = createLinkService(ports);
  const devices = createDeviceService(ports);
  return {
    routes: deviceRoutes(links, devices, ports.getUser),
    jobs: [links.job, devices.job],
    findDevice: devices.find,
    revokeAll: devices.revokeAll,
    describeLink: links.describe,
  };
}
