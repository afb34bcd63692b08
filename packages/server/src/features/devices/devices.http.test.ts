import { createHash } from 'node:crypto';
import { endpoints } from '@svc/contract';
import {
  APP_ORIGIN,
  approveLink,
  atOnce,
  bodyOf,
  codeOf,
  createFakeClock,
  exchangeLink,
  startServer,
  type DeviceLink,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { describe, expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const clock = createFakeClock();
const server = sharedServer({ clock });

const device = { deviceName: 'laptop', clientVersion: '1.0.0', osFamily: 'linux', arch: 'x64' };
const begin = (verifierHash: string) =>
  server.anonymous.api.createDeviceLink({ body: { verifierHash, ...device } });

const exchange = (link: DeviceLink, tried = link.verifier) => exchangeLink(server, link, tried);
const exchangeWrongly = (link: DeviceLink, index: number) => exchange(link, `wrong verifier number ${index}`);

async function approvedLink(): Promise<DeviceLink> {
  const link = await server.beginLink();
  bodyOf(await approveLink(await server.signUp(), link));
  return link;
}

describe('linking a device', () => {
  test('[D4] begins with an opaque id, an approval address, ten minutes of validity, and a polling interval', async () => {
    const created = bodyOf(await begin('a'.repeat(64)));
    expect(created).toEqual({
      publicRequestId: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
      approvalUrl: `${APP_ORIGIN}/link/${created.publicRequestId}`,
      expiresAt: new Date(clock.now() + 10 * MINUTE_MS).toISOString(),
      pollIntervalMs: 2000,
    });
  });

  test('[T8] of 100 parallel exchanges of one approved link exactly one gets the token', async () => {
    const owner = await server.signUp();
    const link = await server.beginLink();
    bodyOf(await approveLink(owner, link));
    const outcomes = await atOnce(100, () => exchange(link));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(outcomes.filter(({ ok }) => !ok).map(codeOf))).toEqual(
      new Set(['DEVICE_LINK_ALREADY_CONSUMED']),
    );
    expect(await owner.api.listDevices()).toMatchObject({ body: { devices: [{ deviceName: 'laptop' }] } });
  });

  test('[D4] ten wrong verifiers lock a link until it expires, even for the right verifier', async () => {
    const link = await approvedLink();
    const codes = (await atOnce(30, (index) => exchangeWrongly(link, index))).map(codeOf);
    expect(codes.filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(10);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(20);
    clock.advance(MINUTE_MS);
    expect(await exchange(link)).toMatchObject({
      status: 429,
      error: { code: 'RATE_LIMITED' },
      retryAfterMs: 9 * MINUTE_MS,
    });
    clock.advance(9 * MINUTE_MS);
    expect(codeOf(await exchange(link))).toBe('DEVICE_LINK_EXPIRED');
  });

  test('[D4] nine wrong verifiers leave the link open for the right one', async () => {
    const link = await approvedLink();
    for (let index = 0; index < 9; index += 1)
      expect(codeOf(await exchangeWrongly(link, index))).toBe('UNAUTHENTICATED');
    expect(codeOf(await exchange(link))).toBe('ok');
  });

  test('[D4] wrong verifiers before the approval do not count', async () => {
    const link = await server.beginLink();
    for (let index = 0; index < 12; index += 1)
      expect(codeOf(await exchangeWrongly(link, index))).toBe('DEVICE_LINK_NOT_APPROVED');
    bodyOf(await approveLink(await server.signUp(), link));
    expect(codeOf(await exchange(link))).toBe('ok');
  });

  test.each(['hex', 'base64url'] as const)(
    '[D1] the hash of a verifier is accepted in %s',
    async (encoding) => {
      const owner = await server.signUp();
      const verifier = 'a verifier with ümläuts of its own'.normalize('NFC');
      const hash = createHash('sha256').update(verifier, 'utf8').digest(encoding);
      for (const spelling of encoding === 'hex' ? [hash, hash.toUpperCase()] : [hash]) {
        const { publicRequestId } = bodyOf(await begin(spelling));
        const link = {
          publicRequestId,
          verifier: spelling === hash ? verifier : verifier.normalize('NFD'),
        };
        bodyOf(await approveLink(owner, link));
        expect(codeOf(await exchange(link))).toBe('ok');
      }
      expect(codeOf(await begin(hash.slice(1)))).toBe('VALIDATION_FAILED');
      expect(codeOf(await begin(`${hash}=`))).toBe('VALIDATION_FAILED');
    },
  );

  test('[D1] the credential is svc_dev_ and 46 alphanumeric characters, and differs between devices', async () => {
    const owner = await server.signUp();
    const [one, other] = [await server.linkDevice(owner), await server.linkDevice(owner)];
    expect(one.deviceToken).toMatch(/^svc_dev_[0-9A-Za-z]{46}$/);
    expect(other.deviceToken).not.toBe(one.deviceToken);
  });
});

describe('polling', () => {
  const path = (id: string) => `/api/v1${endpoints.getDeviceLinkStatus.path.replace('{id}', id)}`;

  test('[D4] polling faster than every second is rejected with the time to wait', async () => {
    const { publicRequestId } = await server.beginLink();
    expect((await server.anonymous.fetch(path(publicRequestId))).status).toBe(409);
    const tooSoon = await server.anonymous.fetch(path(publicRequestId));
    expect(tooSoon.status).toBe(429);
    expect(tooSoon.headers.get('retry-after')).toBe('1');
    clock.advance(999);
    expect((await server.anonymous.fetch(path(publicRequestId))).status).toBe(429);
    clock.advance(1);
    expect((await server.anonymous.fetch(path(publicRequestId))).status).toBe(409);
  });

  test('[D4] each link and each network has its own polling limit', async () => {
    await using proxied = await startServer({ clock, config: { trustedProxyHops: 1 } });
    const [one, other] = [await proxied.beginLink(), await proxied.beginLink()];
    const poll = async (id: string, from: string) =>
      (await proxied.anonymous.fetch(path(id), { headers: { 'x-forwarded-for': from } })).status;
    expect(await poll(one.publicRequestId, '192.0.2.1')).toBe(409);
    expect(await poll(one.publicRequestId, '192.0.2.1')).toBe(429);
    expect(await poll(one.publicRequestId, '192.0.2.2')).toBe(409);
    expect(await poll(other.publicRequestId, '192.0.2.1')).toBe(409);
  });

  test('[D4] an approved link shows until when it can be exchanged', async () => {
    const { publicRequestId: id } = await approvedLink();
    const expiresAt = new Date(clock.now() + 10 * MINUTE_MS).toISOString();
    expect(bodyOf(await server.anonymous.api.getDeviceLinkStatus({ params: { id } }))).toEqual({
      status: 'approved',
      expiresAt,
    });
  });
});
