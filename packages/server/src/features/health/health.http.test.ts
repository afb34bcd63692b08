import { atOnce, bodyOf, createFakeClock, startServer } from '@svc/testkit';
import { describe, expect, test } from 'vitest';

describe('health', () => {
  test('[D15] returns the version while the process is alive', async () => {
    await using server = await startServer();
    const health = bodyOf(await server.anonymous.api.getHealth());
    expect(health).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });
});

describe('ready', () => {
  test('[D15] names each dependency and says that it works', async () => {
    await using server = await startServer();
    expect(await server.anonymous.api.getReady()).toEqual({
      ok: true,
      status: 200,
      body: { status: 'ready', checks: { database: 'ok', blobs: 'ok', counters: 'ok' } },
    });
  });

  test('[D15] checks each dependency at most once a second, and logs a failure', async () => {
    const clock = createFakeClock();
    await using server = await startServer({ clock });
    bodyOf(await server.anonymous.api.getReady());
    await server.service.database.close();
    clock.advance(999);
    for (const { status } of await atOnce(20, () => server.anonymous.api.getReady()))
      expect(status).toBe(200);
    clock.advance(1);
    expect(await server.anonymous.api.getReady()).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'failing', blobs: 'ok' } },
    });
    expect(server.logLines.some((line) => line.includes('dependency failing'))).toBe(true);
  });

  test('[D15] continues to check when the clock steps back', async () => {
    const clock = createFakeClock();
    await using server = await startServer({ clock });
    bodyOf(await server.anonymous.api.getReady());
    await server.service.database.close();
    clock.advance(-3_600_000);
    expect(await server.anonymous.api.getReady()).toMatchObject({ status: 503 });
  });

  test('[D15] reports unavailable after an announced stop, while requests are still answered', async () => {
    await using server = await startServer();
    server.service.announceStop();
    expect(await server.anonymous.api.getReady()).toMatchObject({
      status: 503,
      body: { status: 'unavailable' },
    });
    expect((await server.anonymous.api.getHealth()).ok).toBe(true);
  });
});
