/** Two processes on one database: what one receives reaches the other. */
import { randomBytes } from 'node:crypto';
import {
  ANSWERS_IN_A_SECOND,
  answersUntil,
  bodyOf,
  createFakeClock,
  createFakeTimers,
  createShell,
  createTestDatabase,
  postgresUrl,
  progressEvent,
  progressEvents,
  sendProgress,
  startServer,
  watchEvents,
} from '@svc/testkit';
import { describe, expect, test } from 'vitest';

describe.skipIf(postgresUrl === undefined)('two replicas (only on PostgreSQL)', () => {
  test('[D7] an event that one receives reaches the streams of the other, and so does a sign-out', async () => {
    const { config: database, drop } = await createTestDatabase();
    const config = { database, masterKeys: [randomBytes(32)] };
    {
      await using one = await startServer({ config });
      // The timers of this replica never fire, so only a received hint can end the stream.
      await using other = await startServer({ config, timers: createFakeTimers() });
      const owner = await one.signUp();
      const device = await one.linkDevice(owner);
      const { reportId } = await createShell(device);
      const watch = await watchEvents(other.url, reportId, { cookie: owner.cookie });
      await watch.until(() => watch.events.length === 1);
      for (let count = 1; count <= 20; count += 1) {
        const event = progressEvent(one.clock, reportId);
        await sendProgress(device, reportId, [event]);
        await watch.until(() => watch.events.length === count + 1);
        expect(JSON.parse(watch.events.at(-1)?.data ?? '')).toEqual(event);
      }
      bodyOf(await owner.api.logOut());
      expect(await answersUntil(other, () => watch.ending() !== null)).toBeLessThan(ANSWERS_IN_A_SECOND);
    }
    await drop();
  });

  test('[D7] the rate limit of events is shared by all processes', async () => {
    const { config: database, drop } = await createTestDatabase();
    const config = { database, masterKeys: [randomBytes(32)] };
    {
      const clock = createFakeClock();
      await using one = await startServer({ clock, config });
      await using other = await startServer({ clock, config });
      const owner = await one.signUp();
      const device = await one.linkDevice(owner);
      const { reportId } = await createShell(device);
      const elsewhere = other.withDeviceToken(device.deviceToken);
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, at) => {
          const events = progressEvents(clock, reportId, 25);
          const by = at % 2 === 0 ? device : elsewhere;
          return by.api.sendProgress({ params: { id: reportId }, body: { events } });
        }),
      );
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(24);
    }
    await drop();
  });
});
