import { bodyOf, createFakeClock, startServer } from '@svc/testkit';
import { describe, expect, test } from 'vitest';

describe('health', () => {
  test('[D15] says that the process is alive, and its version', async () => {
    await using server = await startServer();
    const health = bodyOf(await server.anonymous.api.getHealth());
    expect(health).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });

  test('[D15] says so without the database too', async () => {
    await using server = await startServer();
    await server.service.database.close();
    expect(bodyOf(await server.anonymous.api.getHealth()).status).toBe('ok');
  });
});

describe('ready', () => {
  test('[D15] names each dependency and that it works', async () => {
    await using server = await startServer();
    expect(await server.anonymous.api.getReady()).toEqual({
      ok: true,
      status: 200,
      body: { status: 'ready', checks: { database: 'ok', blobs: 'ok', counters: 'ok' } },
    });
  });

  test('[D15] a database that is gone makes it unavailable, within a second, and is told in the log', async () => {
    const clock = createFakeClock();
    await using server = await startServer({ clock });
    bodyOf(await server.anonymous.api.getReady());
    await server.service.database.close();
    clock.advance(1000);
    const outcome = await server.anonymous.api.getReady();
    expect(outcome).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'failing', blobs: 'ok' } },
    });
    expect(server.logLines.some((line) => line.includes('dependency failing'))).toBe(true);
  });

  test('[D15] what it depends on is asked at most once a second, however often it is', async () => {
    const clock = createFakeClock();
    await using server = await startServer({ clock });
    bodyOf(await server.anonymous.api.getReady());
    await server.service.database.close();
    clock.advance(999);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => server.anonymous.api.getReady()));
    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    clock.advance(1);
    expect(await server.anonymous.api.getReady()).toMatchObject({ status: 503 });
  });

  test('[D15] a clock that steps back does not stop it from asking', async () => {
    const clock = createFakeClock();
    await using server = await startServer({ clock });
    bodyOf(await server.anonymous.api.getReady());
    await server.service.database.close();
    clock.advance(-3_600_000);
    expect(await server.anonymous.api.getReady()).toMatchObject({ status: 503 });
  });

  test('[D15] a stop that was announced makes it unavailable while requests are still answered', async () => {
    await using server = await startServer();
    server.service.announceStop();
    expect(await server.anonymous.api.getReady()).toMatchObject({
      status: 503,
      body: { status: 'unavailable' },
    });
    expect((await server.anonymous.api.getHealth()).ok).toBe(true);
  });
});
