import { bodyOf, codeOf, createFakeClock, startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const clock = createFakeClock();
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.close());

describe('the list of devices', () => {
  test("[D16] it holds the account's own, oldest first, revoked ones with the time", async () => {
    const owner = await server.signUp();
    await server.linkDevice(await server.signUp());
    const first = await server.linkDevice(owner, { deviceName: 'first', clientVersion: '1.2.3' });
    const began = clock.now();
    clock.advance(HOUR_MS);
    const second = await server.linkDevice(owner, { deviceName: 'second' });
    bodyOf(await owner.api.revokeDevice({ params: { id: first.deviceId } }));
    const { devices } = bodyOf(await owner.api.listDevices());
    expect(devices).toMatchObject([
      {
        deviceId: first.deviceId,
        deviceName: 'first',
        clientVersion: '1.2.3',
        osFamily: 'linux',
        arch: 'x64',
        createdAt: new Date(began).toISOString(),
        revokedAt: new Date(began + HOUR_MS).toISOString(),
      },
      { deviceId: second.deviceId, deviceName: 'second', revokedAt: null },
    ]);
  });

  test('[D3] when a device was last seen is kept to the hour', async () => {
    const owner = await server.signUp();
    const hour = Math.ceil(clock.now() / HOUR_MS) * HOUR_MS;
    const lastSeen = async () => bodyOf(await owner.api.listDevices()).devices[0]?.lastSeenAt;
    clock.set(hour + 30 * 60_000);
    const device = await server.linkDevice(owner);
    expect(await lastSeen()).toBe(new Date(hour).toISOString());
    clock.set(hour + HOUR_MS + 59 * 60_000);
    expect(await lastSeen()).toBe(new Date(hour).toISOString());
    bodyOf(await device.api.listWorkspaces());
    expect(await lastSeen()).toBe(new Date(hour + HOUR_MS).toISOString());
  });

  test('[T5] no answer holds the credential again', async () => {
    const owner = await server.signUp();
    const device = await server.linkDevice(owner);
    const answers = [await owner.fetch('/api/v1/devices'), await device.fetch('/api/v1/devices/current')];
    for (const answer of answers) {
      const text = await answer.text();
      expect(text).toContain(device.deviceId);
      expect(text).not.toContain(device.deviceToken.slice('svc_dev_'.length));
    }
  });
});

describe('revoking', () => {
  test('[T19] a revoked device is refused at once and everywhere, and stays so', async () => {
    const owner = await server.signUp();
    const device = await server.linkDevice(owner);
    expect(codeOf(await device.api.listWorkspaces())).toBe('ok');
    expect(await owner.api.revokeDevice({ params: { id: device.deviceId } })).toEqual({
      ok: true,
      status: 200,
      body: { deviceId: device.deviceId, revoked: true },
    });
    const revoked = { status: 401, error: { code: 'DEVICE_REVOKED' } };
    expect(await device.api.listWorkspaces()).toMatchObject(revoked);
    expect(await device.api.getCurrentDevice()).toMatchObject(revoked);
    expect(await device.api.revokeCurrentDevice()).toMatchObject(revoked);
    expect(await device.api.listDevices()).toMatchObject(revoked);
    expect(await device.api.getSession()).toMatchObject(revoked);
  });

  test('[D16] again it is answered alike, and the time stays that of the first', async () => {
    const owner = await server.signUp();
    const { deviceId } = await server.linkDevice(owner);
    bodyOf(await owner.api.revokeDevice({ params: { id: deviceId } }));
    const [before] = bodyOf(await owner.api.listDevices()).devices;
    clock.advance(HOUR_MS);
    expect(bodyOf(await owner.api.revokeDevice({ params: { id: deviceId } }))).toEqual({
      deviceId,
      revoked: true,
    });
    const [after] = bodyOf(await owner.api.listDevices()).devices;
    expect(after?.revokedAt).toBe(before?.revokedAt);
  });

  test('[D16] other devices of the account go on', async () => {
    const owner = await server.signUp();
    const [one, other] = [await server.linkDevice(owner), await server.linkDevice(owner)];
    bodyOf(await owner.api.revokeDevice({ params: { id: one.deviceId } }));
    expect(codeOf(await other.api.listWorkspaces())).toBe('ok');
  });

  test("[T2] another's device, an unknown one and a malformed id are answered alike, and revoke nothing", async () => {
    const owner = await server.signUp();
    const stranger = await server.signUp();
    const device = await server.linkDevice(owner);
    const messages = new Set<string>();
    for (const id of [device.deviceId, `dev_${'0'.repeat(26)}`, 'dev_short', 'current%2f']) {
      const outcome = await stranger.api.revokeDevice({ params: { id } });
      expect(outcome).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
      messages.add(outcome.ok ? '' : outcome.error.message);
    }
    expect(messages.size).toBe(1);
    expect(codeOf(await device.api.listWorkspaces())).toBe('ok');
  });
});

describe('the current device', () => {
  test('[D16] a device can ask which and whose it is', async () => {
    const owner = await server.signUp();
    const device = await server.linkDevice(owner, { deviceName: 'this one' });
    expect(bodyOf(await device.api.getCurrentDevice())).toMatchObject({
      device: { deviceId: device.deviceId, deviceName: 'this one', revokedAt: null },
      user: owner.user,
    });
  });

  test('[D16] a device can give up its own credential', async () => {
    const owner = await server.signUp();
    const device = await server.linkDevice(owner);
    expect(bodyOf(await device.api.revokeCurrentDevice())).toEqual({
      deviceId: device.deviceId,
      revoked: true,
    });
    expect(codeOf(await device.api.getCurrentDevice())).toBe('DEVICE_REVOKED');
    expect(bodyOf(await owner.api.listDevices()).devices[0]?.revokedAt).not.toBeNull();
  });

  test('[D16] a browser session is no device', async () => {
    const owner = await server.signUp();
    expect(codeOf(await owner.api.getCurrentDevice())).toBe('UNAUTHENTICATED');
    expect(codeOf(await owner.api.revokeCurrentDevice())).toBe('UNAUTHENTICATED');
  });
});
