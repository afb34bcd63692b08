/** The options of an approval: for which account, and for how long. */
import {
  approveLink,
  bodyOf,
  codeOf,
  createFakeClock,
  exchangeLink,
  type DeviceLink,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeEach, describe, expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const clock = createFakeClock();
const server = sharedServer({ clock });
let owner: SessionActor;
let other: SessionActor;

beforeEach(async () => {
  [owner, other] = await Promise.all([server.signUp(), server.signUp()]);
});

type Approval = Parameters<typeof approveLink>[2];

const approve = (link: DeviceLink, body?: Approval, by = owner) => approveLink(by, link, body);
const stateOf = async ({ publicRequestId: id }: DeviceLink) =>
  bodyOf(await owner.api.getDeviceLink({ params: { id } })).state;

async function connect(link: DeviceLink) {
  const { deviceToken, deviceId } = bodyOf(await exchangeLink(server, link));
  return { deviceId, api: server.withDeviceToken(deviceToken).api };
}

async function deviceOf({ deviceId }: { readonly deviceId: string }) {
  return bodyOf(await owner.api.listDevices()).devices.find((device) => device.deviceId === deviceId);
}

/** A device whose credential lasts `lifetimeMinutes`. */
async function briefDevice(lifetimeMinutes: number) {
  const link = await server.beginLink();
  bodyOf(await approve(link, { lifetimeMinutes }));
  return connect(link);
}

describe('the account in an approval', () => {
  test('[D24] defaults to the account of the session when it or the whole body is absent', async () => {
    for (const body of [undefined, {}, { userId: owner.user.userId }]) {
      const link = await server.beginLink();
      expect(bodyOf(await approve(link, body))).toEqual({ approved: true });
      expect(await deviceOf(await connect(link))).toMatchObject({ expiresAt: null });
    }
  });

  test('[T29] that differs from the session’s, because the page showed another account, approves nothing', async () => {
    const link = await server.beginLink();
    const rejected = await approve(link, { userId: owner.user.userId }, other);
    expect(rejected).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    expect(await stateOf(link)).toBe('pending');
    expect(codeOf(await approve(link, { userId: 'usr_nobody' }))).toBe('CONFLICT');
    bodyOf(await approve(link, { userId: owner.user.userId }));
    expect(codeOf(await approve(link, { userId: owner.user.userId }, other))).toBe('CONFLICT');
  });
});

describe('a limited lifetime', () => {
  test('[D24] ends the credential by the clock, for every endpoint', async () => {
    const link = await server.beginLink();
    bodyOf(await approve(link, { lifetimeMinutes: 1 }));
    clock.advance(30_000);
    const device = await connect(link);
    const expiresAt = clock.now() + MINUTE_MS;
    expect(await deviceOf(device)).toMatchObject({ expiresAt: new Date(expiresAt).toISOString() });
    clock.set(expiresAt - 1);
    expect(bodyOf(await device.api.getCurrentDevice()).device.expiresAt).toBe(
      new Date(expiresAt).toISOString(),
    );
    clock.set(expiresAt);
    for (const outcome of [
      await device.api.getCurrentDevice(),
      await device.api.listWorkspaces(),
      await device.api.revokeCurrentDevice(),
      await device.api.getSession(),
    ])
      expect(outcome).toMatchObject({ status: 401, error: { code: 'UNAUTHENTICATED' } });
  });

  test('[D24] is 1 to 60 whole minutes', async () => {
    const link = await server.beginLink();
    for (const lifetimeMinutes of [0, 61, 1.5, -1, null, '5'])
      expect(codeOf(await approve(link, { lifetimeMinutes } as Approval))).toBe('VALIDATION_FAILED');
    expect(await stateOf(link)).toBe('pending');
    for (const lifetimeMinutes of [1, 60]) bodyOf(await approve(link, { lifetimeMinutes }));
  });

  test('[D24] is that of the last approval before the device fetches its credential', async () => {
    const [longer, endless] = [await server.beginLink(), await server.beginLink()];
    for (const link of [longer, endless]) bodyOf(await approve(link, { lifetimeMinutes: 1 }));
    bodyOf(await approve(longer, { lifetimeMinutes: 5 }));
    bodyOf(await approve(endless));
    const expiresAt = new Date(clock.now() + 5 * MINUTE_MS).toISOString();
    expect(await deviceOf(await connect(longer))).toMatchObject({ expiresAt });
    expect(await deviceOf(await connect(endless))).toMatchObject({ expiresAt: null });
    expect(codeOf(await approve(longer, { lifetimeMinutes: 60 }))).toBe('DEVICE_LINK_ALREADY_CONSUMED');
  });

  test('[D24] a device that was revoked before its expiry gets DEVICE_REVOKED', async () => {
    const device = await briefDevice(1);
    bodyOf(await owner.api.revokeDevice({ params: { id: device.deviceId } }));
    clock.advance(2 * MINUTE_MS);
    expect(codeOf(await device.api.listWorkspaces())).toBe('DEVICE_REVOKED');
  });

  test('[D24] an expired device, and only such a device, is deleted after a day', async () => {
    const [gone, kept] = [await briefDevice(1), await server.linkDevice(owner)];
    clock.advance(24 * 60 * MINUTE_MS);
    await server.runJob('expired devices');
    expect(await deviceOf(gone)).toBeDefined();
    clock.advance(MINUTE_MS);
    await server.runJob('expired devices');
    expect(await deviceOf(gone)).toBeUndefined();
    expect(await deviceOf(kept)).toBeDefined();
    expect(codeOf(await kept.api.listWorkspaces())).toBe('ok');
  });
});
