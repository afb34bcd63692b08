import { endpoints } from '@svc/contract';
import { APP_ORIGIN, createFakeClock, startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

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

describe('linking a device', () => {
  test('[D4] a link lives from request over approval to one credential', async () => {
    const owner = await server.signUp();
    const { publicRequestId, verifier } = await server.beginLink({ deviceName: 'laptop' });
    expect(await status(publicRequestId)).toMatchObject({ status: 409, error: { code: 'DEVICE_LINK_NOT_APPROVED' } });
    expect(await owner.api.approveDeviceLink({ params: { id: publicRequestId } })).toMatchObject({ body: { approved: true } });
    expect(await status(publicRequestId)).toMatchObject({ status: 200, body: { status: 'approved' } });
    const exchanged = await server.anonymous.api.exchangeDeviceLink({ params: { id: publicRequestId }, body: { verifier } });
    expect(exchanged).toMatchObject({
      ok: true,
      status: 200,
      body: { deviceName: 'laptop', userId: owner.user.userId, email: owner.email, apiBaseUrl: APP_ORIGIN },
    });
    expect(await status(publicRequestId)).toMatchObject({ error: { code: 'DEVICE_LINK_ALREADY_CONSUMED' } });
  });

  test('[T8] of 100 parallel exchanges of one approved link exactly one gets the token', async () => {
    const owner = await server.signUp();
    const { publicRequestId, verifier } = await server.beginLink();
    await owner.api.approveDeviceLink({ params: { id: publicRequestId } });
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () =>
        server.anonymous.api.exchangeDeviceLink({ params: { id: publicRequestId }, body: { verifier } }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    const refusals = outcomes.filter((outcome) => !outcome.ok);
    expect(new Set(refusals.map((refusal) => refusal.error.code))).toEqual(new Set(['DEVICE_LINK_ALREADY_CONSUMED']));
    expect(await owner.api.listDevices()).toMatchObject({ body: { devices: [{ deviceName: 'laptop' }] } });
  });

  test('[D4] ten wrong verifiers close a link until it expires, also to the right one', async () => {
    const owner = await server.signUp();
    const { publicRequestId, verifier } = await server.beginLink();
    await owner.api.approveDeviceLink({ params: { id: publicRequestId } });
    const exchange = (tried: string) =>
      server.anonymous.api.exchangeDeviceLink({ params: { id: publicRequestId }, body: { verifier: tried } });
    const wrong = await Promise.all(Array.from({ length: 30 }, (_, index) => exchange(`wrong verifier number ${index}`)));
    const codes = wrong.map((outcome) => (outcome.ok ? 'ok' : outcome.error.code));
    expect(codes.filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(10);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(20);
    expect(await exchange(verifier)).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } });
    clock.advance(10 * 60_000);
    expect(await exchange(verifier)).toMatchObject({ status: 410, error: { code: 'DEVICE_LINK_EXPIRED' } });
  });

  test('[D4] polling faster than every second is refused with the time to wait', async () => {
    const { publicRequestId } = await server.beginLink();
    await status(publicRequestId);
    const tooSoon = await server.anonymous.fetch(`/api/v1${endpoints.getDeviceLinkStatus.path.replace('{id}', publicRequestId)}`);
    expect(tooSoon.status).toBe(429);
    expect(tooSoon.headers.get('retry-after')).toBe('1');
  });
});
