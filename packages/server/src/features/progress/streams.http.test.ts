import type { ProgressEvent } from '@svc/contract';
import {
  connectRaw,
  createFakeClock,
  createFakeTimers,
  createShell,
  progressEvent,
  progressEvents,
  sendProgress,
  storeEvents,
  watchEvents,
  type DeviceActor,
  type SessionActor,
  type Watch,
  type WatchOptions,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const LIFETIME_MS = 300_000;
const PER_USER_MAX = 5;
const ALL_MAX = 8;

const clock = createFakeClock();
const timers = createFakeTimers();
let owner: SessionActor;
let device: DeviceActor;
let reportId: string;
const opened: Watch[] = [];

const server = sharedServer({
  clock,
  timers,
  generousPlans: true,
  config: { streams: { lifetimeMs: LIFETIME_MS, perUserMax: PER_USER_MAX, allMax: ALL_MAX } },
});
beforeEach(async () => {
  owner = await server.signUp();
  device = await server.linkDevice(owner);
  reportId = await newReport();
});
afterEach(async () => {
  for (const watch of opened.splice(0)) {
    watch.abort();
    await watch.untilOver();
  }
});

const newReport = async () => (await createShell(device)).reportId;

const watch = async (given: WatchOptions = {}): Promise<Watch> => {
  const made = await watchEvents(server.url, reportId, { cookie: owner.cookie, ...given });
  opened.push(made);
  return made;
};

const event = (given: Partial<ProgressEvent> = {}) => progressEvent(clock, reportId, given);
const events = (count: number) => progressEvents(clock, reportId, count);
const send = (sent: readonly ProgressEvent[]) => sendProgress(device, reportId, sent);

const progressOf = (of: Watch) => of.events.filter(({ event: name }) => name === 'progress');
const idsOf = (of: Watch) => progressOf(of).map(({ data }) => (JSON.parse(data) as ProgressEvent).eventId);
const helloOf = (of: Watch) => JSON.parse(of.events[0]?.data ?? 'null') as unknown;
const until = (of: Watch, count: number) => of.until(() => progressOf(of).length >= count);

async function finalize(): Promise<void> {
  const { database } = server.service;
  await database.read
    .updateTable('reports')
    .set({ state: 'finalized', finalizedAt: clock.now() })
    .where('id', '=', reportId)
    .execute();
}

describe('a stream', () => {
  test('[D7] has headers that keep it out of caches and buffers', async () => {
    const { status, headers } = await watch();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store, must-revalidate',
      'x-accel-buffering': 'no',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'transfer-encoding': 'chunked',
    });
    expect(headers['content-encoding']).toBeUndefined();
  });

  test('[D7] begins with hello, which announces no replay when nothing is stored', async () => {
    const made = await watch();
    await made.until(() => made.events.length === 1);
    expect(made.events).toEqual([
      { id: undefined, event: 'hello', data: JSON.stringify({ replay: false, count: 0 }) },
    ]);
    expect(made.retryMs()).toBe(2000);
  });

  test('[D7] replays all stored events and continues with new ones, in order, each once with its number', async () => {
    const [past, present] = [events(60), events(3)];
    await send(past);
    const made = await watch();
    await until(made, 60);
    expect(helloOf(made)).toEqual({ replay: true, count: 60 });
    await send(present);
    await until(made, 63);
    expect(idsOf(made)).toEqual([...past, ...present].map(({ eventId }) => eventId));
    expect(progressOf(made).map(({ id }) => id)).toEqual(Array.from({ length: 63 }, (_, at) => `${at + 1}`));
  });

  test('[D7] contains each event as the contract defines it, with only the fields that were sent', async () => {
    const full = event({ type: 'phase_completed', phase: 'inventory', safeCode: 'ok' });
    const bare = event();
    await send([full, bare]);
    const made = await watch();
    await until(made, 2);
    expect(progressOf(made).map(({ data }) => JSON.parse(data) as unknown)).toEqual([full, bare]);
  });

  test('[D7] sends pages of a long history without a gap or a repeat', async () => {
    const count = 2345;
    await storeEvents(server, reportId, count);
    const made = await watch();
    await until(made, count);
    await send([event()]);
    await until(made, count + 1);
    expect(progressOf(made).map(({ id }) => Number(id))).toEqual(
      Array.from({ length: count + 1 }, (_, at) => at + 1),
    );
  });

  test('[D7] is sent to a client of HTTP/1.0 without chunks', async () => {
    await send([event()]);
    await using connection = await connectRaw(server.port);
    await connection.send(
      `GET /api/v1/reports/${reportId}/events HTTP/1.0\r\nHost: svc.test\r\nCookie: ${owner.cookie}\r\n\r\n`,
    );
    // `endOfAllStreams` ends only streams that are already open.
    await connection.untilText('event: hello');
    const over = connection.untilClosed();
    await endOfAllStreams();
    const { answers, rest } = await over;
    const text = JSON.stringify([answers, rest]);
    expect(text).toContain('event: hello\\ndata:');
    expect(text).not.toMatch(/\\r\\n[0-9a-f]+\\r\\n/);
  });

  test('[D2] is not returned for HEAD', async () => {
    const response = await owner.fetch(`/api/v1/reports/${reportId}/events`, { method: 'HEAD' });
    expect(response.status).toBe(404);
  });
});

/** Ends all streams by their lifetimes. */
async function endOfAllStreams(): Promise<void> {
  const made = await watch();
  await made.until(() => made.events.length > 0);
  for (let passed = 0; passed < LIFETIME_MS; passed += 20_000) {
    timers.advance(20_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await made.untilOver();
}

describe('a long stream', () => {
  test('[D7] has a comment every 20 seconds', async () => {
    const made = await watch();
    await made.until(() => made.events.length === 1);
    timers.advance(20_000);
    await made.until(() => made.comments() === 1);
    for (let beat = 2; beat < 6; beat += 1) {
      timers.advance(19_900);
      expect(made.comments()).toBe(beat - 1);
      timers.advance(100);
      await made.until(() => made.comments() === beat);
    }
  });

  test('[D7] ends cleanly when its lifetime is over', async () => {
    const made = await watch();
    await made.until(() => made.events.length === 1);
    let beats = 0;
    for (let passed = 0; passed + 20_000 < LIFETIME_MS; passed += 20_000) {
      timers.advance(20_000);
      beats += 1;
      const wanted = beats;
      await made.until(() => made.comments() >= wanted);
    }
    expect(made.ending()).toBeNull();
    timers.advance(20_000);
    await made.untilOver();
    expect(made.ending()).toBe('ended');
  });
});

describe('reconnecting', () => {
  test('[D7] without resume everything is replayed, whatever was received', async () => {
    await send(events(3));
    const made = await watch({ lastEventId: '2' });
    await until(made, 3);
    expect(helloOf(made)).toEqual({ replay: true, count: 3 });
  });

  test('[D7] with resume only what follows the last event is replayed', async () => {
    const sent = events(5);
    await send(sent);
    const made = await watch({ resume: true, lastEventId: '3' });
    await until(made, 2);
    expect(helloOf(made)).toEqual({ replay: true, count: 2 });
    await send([event()]);
    await until(made, 3);
    expect(progressOf(made).map(({ id }) => id)).toEqual(['4', '5', '6']);
  });

  test('[D7] with resume after the last event the stream waits for more', async () => {
    await send(events(2));
    const made = await watch({ resume: true, lastEventId: '2' });
    await made.until(() => made.events.length === 1);
    expect(helloOf(made)).toEqual({ replay: false, count: 0 });
    await send([event()]);
    await until(made, 1);
    expect(progressOf(made).map(({ id }) => id)).toEqual(['3']);
  });

  test.each(['', '0', '-1', '4', '99999999999999999999', '1.5', 'x', '0x1', '1e1', '01'])(
    '[D7] a last event %j that the service never sent replays everything',
    async (lastEventId) => {
      await send(events(3));
      const made = await watch({ resume: true, lastEventId });
      await until(made, 3);
      expect(helloOf(made)).toEqual({ replay: true, count: 3 });
    },
  );

  test('[D7] resume accepts only the value 1', async () => {
    const response = await owner.fetch(`/api/v1/reports/${reportId}/events?resume=yes`);
    expect(response.status).toBe(422);
  });

  test('[D7] the stream of a final report replays everything and stays open', async () => {
    await send(events(2));
    await finalize();
    const made = await watch();
    await until(made, 2);
    timers.advance(20_000);
    await made.until(() => made.comments() === 1);
    expect(made.ending()).toBeNull();
  });

  test('[D7] with resume a final report replays further events, and returns 204 if there are none', async () => {
    await send(events(2));
    await finalize();
    const first = await watch({ resume: true });
    await until(first, 2);
    const again = await watch({ resume: true, lastEventId: '2' });
    await again.untilOver();
    expect(again.status).toBe(204);
    expect(again.text()).toBe('');
    const behind = await watch({ resume: true, lastEventId: '1' });
    await until(behind, 1);
  });

  test('[D7] a live report without further events does not return 204', async () => {
    expect((await watch({ resume: true })).status).toBe(200);
  });
});

describe('the number of streams', () => {
  test('[D7] over the limit of a user the response is RATE_LIMITED, until a stream ends', async () => {
    const first = await watch();
    for (let count = 1; count < PER_USER_MAX; count += 1) await watch();
    const over = await watch();
    expect(over.status).toBe(429);
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    const other = await server.signUp();
    expect((await watchEvents(server.url, reportId, { cookie: other.cookie })).status).toBe(404);
    first.abort();
    await first.untilOver();
    await roomFor(1);
  });

  test('[T13] of parallel streams exactly as many open as the limit allows', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => watch()));
    expect(made.filter(({ status }) => status === 200)).toHaveLength(PER_USER_MAX);
    expect(made.filter(({ status }) => status === 429)).toHaveLength(20 - PER_USER_MAX);
  });

  test('[D7] over the total limit the response is RATE_LIMITED for everyone', async () => {
    for (let count = 0; count < PER_USER_MAX; count += 1) expect((await watch()).status).toBe(200);
    owner = await server.signUp();
    device = await server.linkDevice(owner);
    reportId = await newReport();
    for (let count = PER_USER_MAX; count < ALL_MAX; count += 1) expect((await watch()).status).toBe(200);
    expect((await watch()).status).toBe(429);
  });

  test('[T13] a stream stops counting when its client ends it, and a 204 does not count', async () => {
    for (let round = 0; round < 3 * PER_USER_MAX; round += 1) {
      const made = await watch();
      expect(made.status).toBe(200);
      made.abort();
      await made.untilOver();
      await roomFor(PER_USER_MAX);
    }
    await send([event()]);
    await finalize();
    for (let round = 0; round < 2 * PER_USER_MAX; round += 1)
      expect((await watch({ resume: true, lastEventId: '1' })).status).toBe(204);
    await roomFor(PER_USER_MAX);
  });

  test('[T13] a stream stops counting when its lifetime ends', async () => {
    for (let count = 1; count < PER_USER_MAX; count += 1) expect((await watch()).status).toBe(200);
    // `endOfAllStreams` opens the last stream that the limit allows.
    await endOfAllStreams();
    for (const each of opened) await each.untilOver();
    expect(opened.map((each) => [each.status, each.ending()])).toEqual(
      Array.from({ length: PER_USER_MAX }, () => [200, 'ended']),
    );
    await nobodyWatches();
    await roomFor(PER_USER_MAX);
  });

  test('[T13] a stream that is rejected because of its report or of a limit does not count', async () => {
    await nobodyWatches();
    const own = reportId;
    ({ reportId } = await createShell(await server.linkDevice(await server.signUp())));
    for (let round = 0; round < 2 * PER_USER_MAX; round += 1) expect((await watch()).status).toBe(404);
    expect(server.service.app.openStreams()).toBe(0);
    reportId = own;
    const first = await watch();
    for (let count = 1; count < PER_USER_MAX; count += 1) expect((await watch()).status).toBe(200);
    for (let round = 0; round < ALL_MAX; round += 1) expect((await watch()).status).toBe(429);
    expect(server.service.app.openStreams()).toBe(PER_USER_MAX);
    first.abort();
    await first.untilOver();
    await roomFor(1);
  });
});

/** Resolves once the service has noticed that all streams have ended. */
async function nobodyWatches(): Promise<void> {
  await expect.poll(() => server.service.app.openStreams()).toBe(0);
}

/** Resolves once so many streams can be opened: the service notices a broken connection a moment later. */
async function roomFor(count: number): Promise<void> {
  for (;;) {
    const made = await Promise.all(
      Array.from({ length: count }, () => watchEvents(server.url, reportId, { cookie: owner.cookie })),
    );
    for (const one of made) {
      one.abort();
      await one.untilOver();
    }
    if (made.every(({ status }) => status === 200)) return;
  }
}
