import { createHash } from 'node:crypto';
import { endpoints } from '@svc/contract';
import { APP_ORIGIN, bodyOf, codeOf, createFakeClock, startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const clock = createFakeClock();
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.close());

/** Polls are bound to one a second; the clock moves between them. */
function status(publicRequestId: string) {
  clock.advance(1000);
  return server.anonymous.api.getDeviceLinkStatus({ params: { id: publicRequestId } });
}

function exchange(publicRequestId: string, verifier: string) {
  return server.anonymous.api.exchangeDeviceLink({ params: { id: publicRequestId }, body: { verifier } });
}

describe('linking a device', () => {
  test('[D4] a link lives from request over approval to one credential', async () => {
    const owner = await server.signUp();
    const { publicRequestId, verifier } = await server.beginLink({ deviceName: 'laptop' });
    expect(await status(publicRequestId)).toMatchObject({
      status: 409,
      error: { code: 'DEVICE_LINK_NOT_APPROVED' },
    });
    expect(await owner.api.approveDeviceLink({ params: { id: publicRequestId } })).toMatchObject({
      body: { approved: true },
    });
    expect(await status(publicRequestId)).toMatchObject({ status: 200, body: { status: 'approved' } });
    const exchanged = await exchange(publicRequestId, verifier);
    expect(exchanged).toMatchObject({
      ok: true,
      status: 200,
      body: {
        deviceName: 'laptop',
        userId: owner.user.userId,
        email: owner.email,
        apiBaseUrl: APP_ORIGIN,
      },
    });
    expect(await status(publicRequestId)).toMatchObject({ error: { code: 'DEVICE_LINK_ALREADY_CONSUMED' } });
  });

  test('[D4] it begins with an opaque id, an address to approve at, ten minutes to live, and the pace of polling', async () => {
    const created = bodyOf(
      await server.anonymous.api.createDeviceLink({
        body: {
          verifierHash: 'a'.repeat(64),
          deviceName: 'laptop',
          clientVersion: '1.0.0',
          osFamily: 'linux',
          arch: 'x64',
        },
      }),
    );
    expect(created).toEqual({
      publicRequestId: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
      approvalUrl: `${APP_ORIGIN}/link/${created.publicRequestId}`,
      expiresAt: new Date(clock.now() + 10 * MINUTE_MS).toISOString(),
      pollIntervalMs: 2000,
    });
  });

  test('[T8] of 100 parallel exchanges of one approved link exactly one gets the token', async () => {
    const owner = await server.signUp();
    const { publicRequestId, verifier } = await server.beginLink();
    await owner.api.approveDeviceLink({ params: { id: publicRequestId } });
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () => exchange(publicRequestId, verifier)),
    );
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    const refusals = outcomes.filter((outcome) => !outcome.ok);
    expect(new Set(refusals.map((refusal) => refusal.error.code))).toEqual(
      new Set(['DEVICE_LINK_ALREADY_CONSUMED']),
    );
    expect(await owner.api.listDevices()).toMatchObject({ body: { devices: [{ deviceName: 'laptop' }] } });
  });

  test('[D4] ten wrong verifiers close a link until it expires, also to the right one', async () => {
    const owner = await server.signUp();
    const { publicRequestId, verifier } = await server.beginLink();
    await owner.api.approveDeviceLink({ params: { id: publicRequestId } });
    const wrong = await Promise.all(
      Array.from({ length: 30 }, (_, index) => exchange(publicRequestId, `wrong verifier number ${index}`)),
    );
    const codes = wrong.map(codeOf);
    expect(codes.filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(10);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(20);
    clock.advance(MINUTE_MS);
    expect(await exchange(publicRequestId, verifier)).toMatchObject({
      status: 429,
      error: { code: 'RATE_LIMITED' },
      retryAfterMs: 9 * MINUTE_MS,
    });
    clock.advance(9 * MINUTE_MS);
    expect(await exchange(publicRequestId, verifier)).toMatchObject({
      status: 410,
      error: { code: 'DEVICE_LINK_EXPIRED' },
    });
  });

  test('[D4] nine wrong verifiers leave the link open to the right one', async () => {
    const owner = await server.signUp();
    const { publicRequestId, verifier } = await server.beginLink();
    await owner.api.approveDeviceLink({ params: { id: publicRequestId } });
    for (let index = 0; index < 9; index += 1) {
      expect(codeOf(await exchange(publicRequestId, `wrong verifier number ${index}`))).toBe(
        'UNAUTHENTICATED',
      );
    }
    expect(codeOf(await exchange(publicRequestId, verifier))).toBe('ok');
  });

  test('[D4] wrong verifiers before the approval are no attempts', async () => {
    const owner = await server.signUp();
    const { publicRequestId, verifier } = await server.beginLink();
    for (let index = 0; index < 12; index += 1) {
      const outcome = await exchange(publicRequestId, `wrong verifier number ${index}`);
      expect(codeOf(outcome)).toBe('DEVICE_LINK_NOT_APPROVED');
    }
    await owner.api.approveDeviceLink({ params: { id: publicRequestId } });
    expect(codeOf(await exchange(publicRequestId, verifier))).toBe('ok');
  });

  test.each(['hex', 'base64url'] as const)('[D1] the hash of a verifier is taken in %s', async (encoding) => {
    const owner = await server.signUp();
    const verifier = 'a verifier with ümläuts of its own'.normalize('NFC');
    const hash = createHash('sha256').update(verifier, 'utf8').digest(encoding);
    const begin = (verifierHash: string) =>
      server.anonymous.api.createDeviceLink({
        body: { verifierHash, deviceName: 'd', clientVersion: '1.0.0', osFamily: 'o', arch: 'a' },
      });
    for (const spelling of encoding === 'hex' ? [hash, hash.toUpperCase()] : [hash]) {
      const { publicRequestId } = bodyOf(await begin(spelling));
      await owner.api.approveDeviceLink({ params: { id: publicRequestId } });
      const typed = spelling === hash ? verifier : verifier.normalize('NFD');
      expect(codeOf(await exchange(publicRequestId, typed))).toBe('ok');
    }
    expect(codeOf(await begin(hash.slice(1)))).toBe('VALIDATION_FAILED');
    expect(codeOf(await begin(`${hash}=`))).toBe('VALIDATION_FAILED');
  });

  test('[D1] the credential is svc_dev_, 40 random characters and their CRC-32, and never the same twice', async () => {
    const owner = await server.signUp();
    const [one, other] = [await server.linkDevice(owner), await server.linkDevice(owner)];
    expect(one.deviceToken).toMatch(/^svc_dev_[0-9A-Za-z]{46}$/);
    expect(other.deviceToken).not.toBe(one.deviceToken);
    const mistyped = one.deviceToken.slice(0, -1) + (one.deviceToken.endsWith('a') ? 'b' : 'a');
    expect(codeOf(await server.withDeviceToken(mistyped).api.listWorkspaces())).toBe('UNAUTHENTICATED');
    expect(codeOf(await server.withDeviceToken(one.deviceToken).api.listWorkspaces())).toBe('ok');
  });
});

describe('polling', () => {
  const path = (id: string) => `/api/v1${endpoints.getDeviceLinkStatus.path.replace('{id}', id)}`;

  test('[D4] faster than every second is refused with the time to wait', async () => {
    const { publicRequestId } = await server.beginLink();
    await status(publicRequestId);
    const tooSoon = await server.anonymous.fetch(path(publicRequestId));
    expect(tooSoon.status).toBe(429);
    expect(tooSoon.headers.get('retry-after')).toBe('1');
    clock.advance(999);
    expect((await server.anonymous.fetch(path(publicRequestId))).status).toBe(429);
    clock.advance(1);
    expect((await server.anonymous.fetch(path(publicRequestId))).status).toBe(409);
  });

  test('[D4] another link is another pace, and so is another network', async () => {
    await using proxied = await startServer({ clock, config: { trustedProxyHops: 1 } });
    const [one, other] = [await proxied.beginLink(), await proxied.beginLink()];
    const poll = async (id: string, from: string) =>
      (await proxied.anonymous.fetch(path(id), { headers: { 'x-forwarded-for': from } })).status;
    expect(await poll(one.publicRequestId, '192.0.2.1')).toBe(409);
    expect(await poll(one.publicRequestId, '192.0.2.1')).toBe(429);
    expect(await poll(one.publicRequestId, '192.0.2.2')).toBe(409);
    expect(await poll(other.publicRequestId, '192.0.2.1')).toBe(409);
  });

  test('[D4] an approved link says until when it can be exchanged', async () => {
    const owner = await server.signUp();
    const expiresAt = new Date(clock.now() + 10 * MINUTE_MS).toISOString();
    const { publicRequestId } = await server.beginLink();
    await owner.api.approveDeviceLink({ params: { id: publicRequestId } });
    expect(bodyOf(await status(publicRequestId))).toEqual({ status: 'approved', expiresAt });
  });
});
