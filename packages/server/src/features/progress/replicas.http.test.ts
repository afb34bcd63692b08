/** Two processes on one database: what is told to one is heard of in the other. */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  ANSWERS_IN_A_SECOND,
  answersUntil,
  bindProject,
  bodyOf,
  createFakeClock,
  createFakeTimers,
  createTestDatabase,
  postgresUrl,
  shellOf,
  startServer,
  watchEvents,
} from '@svc/testkit';
import { describe, expect, test } from 'vitest';

describe.skipIf(postgresUrl === undefined)('two replicas (only on PostgreSQL)', () => {
  test('[D7] an event that one takes reaches the streams of the other, and so does a removal', async () => {
    const { config: database, drop } = await createTestDatabase();
    const config = { database, masterKey: randomBytes(32) };
    {
      await using one = await startServer({ config });
      // Its timers stand still, so that what ends the stream is what it heard of.
      await using other = await startServer({ config, timers: createFakeTimers() });
      const owner = await one.signUp();
      const device = await one.linkDevice(owner);
      const project = await bindProject(owner);
      const { reportId } = bodyOf(await device.api.createReport({ body: shellOf(project) }));
      const watch = await watchEvents(other.url, reportId, { cookie: owner.cookie });
      await watch.until(() => watch.events.length === 1);
      for (let count = 1; count <= 20; count += 1) {
        const event = {
          eventId: randomUUID(),
          reportId,
          type: 'heartbeat' as const,
          occurredAt: new Date().toISOString(),
        };
        bodyOf(await device.api.sendProgress({ params: { id: reportId }, body: { events: [event] } }));
        await watch.until(() => watch.events.length === count + 1);
        expect(JSON.parse(watch.events.at(-1)?.data ?? '')).toEqual(event);
      }
      bodyOf(await owner.api.logOut());
      expect(await answersUntil(other, () => watch.ending() !== null)).toBeLessThan(ANSWERS_IN_A_SECOND);
    }
    await drop();
  });

  test('[D7] the budget of events is one, whichever process is asked', async () => {
    const { config: database, drop } = await createTestDatabase();
    const config = { database, masterKey: randomBytes(32) };
    {
      const clock = createFakeClock();
      await using one = await startServer({ clock, config });
      await using other = await startServer({ clock, config });
      const owner = await one.signUp();
      const device = await one.linkDevice(owner);
      const { reportId } = bodyOf(await device.api.createReport({ body: shellOf(await bindProject(owner)) }));
      const elsewhere = other.withDeviceToken(device.deviceToken);
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, at) => {
          const events = Array.from({ length: 25 }, () => ({
            eventId: randomUUID(),
            reportId,
            type: 'heartbeat' as const,
            occurredAt: new Date(clock.now()).toISOString(),
          }));
          const by = at % 2 === 0 ? device : elsewhere;
          return by.api.sendProgress({ params: { id: reportId }, body: { events } });
        }),
      );
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(24);
    }
    await drop();
  });
});
