/** Events arrive once and in order, whatever readers do while devices post. */
import { randomInt } from 'node:crypto';
import {
  createFakeClock,
  createShell,
  progressEvents,
  sendProgress,
  watchEvents,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { inLane } from '@svc/testkit/lane';
import { beforeAll, describe, expect, test } from 'vitest';

/** How far posting stays ahead of the readers, so that replays do not grow without limit. */
const AHEAD = 100;
const READERS = inLane(4, 20);
const RECONNECTS_OF_EACH = inLane(6, 25);
const STAYING = inLane(6, 40);
const POSTERS = 3;

const clock = createFakeClock();
let owner: SessionActor;
let device: DeviceActor;

const server = sharedServer({
  clock,
  generousPlans: true,
  config: { streams: { lifetimeMs: 300_000, perUserMax: 1000, allMax: 1000 } },
});

beforeAll(async () => {
  owner = await server.signUp();
  device = await server.linkDevice(owner);
});

const newReport = async () => (await createShell(device)).reportId;

async function post(reportId: string, count: number): Promise<void> {
  // Time passes, so that the calls stay within the rate limit and the times of events are valid.
  clock.advance(count * 200);
  await sendProgress(device, reportId, progressEvents(clock, reportId, count));
}

/** Posts batches of random sizes until `isOver` returns true. Resolves to the number of events. */
async function postUntil(reportId: string, isOver: () => boolean, reconnects: () => number): Promise<number> {
  let posted = 0;
  await Promise.all(
    Array.from({ length: POSTERS }, async () => {
      while (!isOver()) {
        if (posted > AHEAD + 2 * reconnects()) await new Promise((resolve) => setImmediate(resolve));
        else {
          const count = randomInt(1, 6);
          posted += count;
          await post(reportId, count);
        }
      }
    }),
  );
  return posted;
}

const oneTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** Reconnects repeatedly, and records the event numbers of all its streams. */
async function resumingReader(reportId: string, connected: () => void): Promise<number[]> {
  const received: number[] = [];
  for (let count = 0; count < RECONNECTS_OF_EACH; count += 1) {
    const lastEventId = received.at(-1)?.toString();
    const watch = await watchEvents(server.url, reportId, {
      cookie: owner.cookie,
      resume: true,
      lastEventId,
    });
    const wanted = randomInt(0, 12);
    await watch.until(() => watch.events.length > wanted);
    watch.abort();
    await watch.untilOver();
    connected();
    received.push(...watch.events.flatMap(({ id }) => (id === undefined ? [] : [Number(id)])));
  }
  return received;
}

/** Reconnects repeatedly, and checks that each stream has the events from the first one, without a gap. */
async function replayingReader(reportId: string, connected: () => void): Promise<void> {
  for (let count = 0; count < RECONNECTS_OF_EACH; count += 1) {
    const watch = await watchEvents(server.url, reportId, { cookie: owner.cookie });
    const wanted = randomInt(0, 30);
    await watch.until(() => watch.events.length > wanted);
    watch.abort();
    await watch.untilOver();
    connected();
    const numbers = watch.events.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
    expect(numbers).toEqual(oneTo(numbers.length));
  }
}

describe('order', () => {
  test(
    `[D7] over ${2 * READERS * RECONNECTS_OF_EACH} reconnects while events arrive, a resuming reader gets each event once and in order`,
    { tags: 'repeated' },
    async () => {
      const reportId = await newReport();
      let isOver = false;
      let reconnects = 0;
      const connected = () => (reconnects += 1);
      const posting = postUntil(
        reportId,
        () => isOver,
        () => reconnects,
      );
      const replaying = Array.from({ length: READERS }, () => replayingReader(reportId, connected));
      const resuming = Array.from({ length: READERS }, () => resumingReader(reportId, connected));
      const received = await Promise.all(resuming);
      await Promise.all(replaying);
      isOver = true;
      const posted = await posting;
      for (const numbers of received) expect(numbers).toEqual(oneTo(numbers.length));
      const whole = await watchEvents(server.url, reportId, { cookie: owner.cookie });
      await whole.until(() => whole.events.length > posted);
      expect(whole.events.slice(1).map(({ id }) => Number(id))).toEqual(oneTo(posted));
      expect(new Set(whole.events.slice(1).map(({ data }) => data)).size).toBe(posted);
      whole.abort();
    },
  );

  test(
    '[D7] open streams receive everything that parallel devices post, in the same order',
    { tags: 'repeated' },
    async () => {
      const reportId = await newReport();
      const watches = await Promise.all(
        Array.from({ length: STAYING }, () => watchEvents(server.url, reportId, { cookie: owner.cookie })),
      );
      const counts = Array.from({ length: STAYING }, () => randomInt(1, 16));
      await Promise.all(counts.map((count) => post(reportId, count)));
      const all = counts.reduce((sum, count) => sum + count, 0);
      await Promise.all(watches.map((watch) => watch.until(() => watch.events.length > all)));
      const [first, ...others] = watches.map((watch) => watch.events.slice(1));
      expect(first?.map(({ id }) => Number(id))).toEqual(oneTo(all));
      for (const other of others) expect(other).toEqual(first);
      watches.forEach((watch) => watch.abort());
    },
  );
});
