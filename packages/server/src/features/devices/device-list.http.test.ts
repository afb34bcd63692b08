import { bodyOf, codeOf, createFakeClock } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const clock = createFakeClock();
const server = sharedServer({ clock });

describe('the list of devices', () => {
  test('[D16] contains the account’s own devices, oldest first, and the time of each revocation', async () => {
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

  test('[D3] the last use of a device is stored to the hour', async () => {
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

  test('[T5] no response contains the credential again', async () => {
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
  test('[D16] revoking twice returns the same, with the time of the first revocation', async () => {
    const owner = await server.signUp();
    const { deviceId } = await server.linkDevice(owner);
    const revoke = async () => bodyOf(await owner.api.revokeDevice({ params: { id: deviceId } }));
    expect(await revoke()).toEqual({ deviceId, revoked: true });
    const [before] = bodyOf(await owner.api.listDevices()).devices;
    clock.advance(HOUR_MS);
    expect(await revoke()).toEqual({ deviceId, revoked: true });
    const [after] = bodyOf(await owner.api.listDevices()).devices;
    expect(after?.revokedAt).toBe(before?.revokedAt);
  });

  test('[D16] other devices of the account still work', async () => {
    const owner = await server.signUp();
    const [one, other] = [await server.linkDevice(owner), await server.linkDevice(owner)];
    bodyOf(await owner.api.revokeDevice({ params: { id: one.deviceId } }));
    expect(codeOf(await other.api.listWorkspaces())).toBe('ok');
  });
});

describe('the current device', () => {
  test('[D16] a device can ask which device it is and whose it is', async () => {
    const owner = await server.signUp();
    const device = await server.linkDevice(owner, { deviceName: 'this one' });
    expect(bodyOf(await device.api.getCurrentDevice())).toMatchObject({
      device: { deviceId: device.deviceId, deviceName: 'this one', revokedAt: null },
      user: owner.user,
    });
  });

  test('[D16] a device can revoke its own credential', async () => {
    const owner = await server.signUp();
    const device = await server.linkDevice(owner);
    expect(bodyOf(await device.api.revokeCurrentDevice())).toEqual({
      deviceId: device.deviceId,
      revoked: true,
    });
    expect(codeOf(await device.api.getCurrentDevice())).toBe('DEVICE_REVOKED');
    expect(bodyOf(await owner.api.listDevices()).devices[0]?.revokedAt).not.toBeNull();
  });
});
