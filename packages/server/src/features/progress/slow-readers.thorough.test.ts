/** Readers that take nothing, beside one that does. */
import { randomUUID } from 'node:crypto';
import {
  bindProject,
  bodyOf,
  createFakeClock,
  createFakeTimers,
  shellOf,
  startServer,
  watchEvents,
  type SessionActor,
  type TestServer,
  type Watch,
} from '@svc/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Some 20 MB of text: more than the buffers of the system hold. */
const EVENTS = 100_000;
const ROWS_AT_ONCE = 1000;
const SLOW_READERS = 10;
/** Less than half of what these readers leave untaken. */
const HELD_MIB_MAX = 40;
const MIB = 1024 * 1024;

const clock = createFakeClock();
const timers = createFakeTimers();
let server: TestServer;
let owner: SessionActor;
let reportId: string;

beforeAll(async () => {
  server = await startServer({ clock, timers, generousPlans: true });
  owner = await server.signUp();
  const device = await server.linkDevice(owner);
  ({ reportId } = bodyOf(await device.api.createReport({ body: shellOf(await bindProject(owner)) })));
  const { database } = server.service;
  await database.transaction(async (tx) => {
    for (let from = 0; from < EVENTS; from += ROWS_AT_ONCE) {
      const rows = Array.from({ length: ROWS_AT_ONCE }, (_, at) => ({
        reportId,
        number: from + at + 1,
        eventId: randomUUID(),
        type: 'phase_progressed' as const,
        occurredAt: clock.now(),
        phase: 'static_analysis' as const,
        safeCode: 'ok' as const,
      }));
      await tx.insertInto('progressEvents').values(rows).execute();
    }
    await tx.updateTable('reports').set({ lastEventNumber: EVENTS }).where('id', '=', reportId).execute();
  });
});
afterAll(() => server.close());

const watch = () => watchEvents(server.url, reportId, { cookie: owner.cookie });
/** Of everything outside the heap, such as bytes that wait to be sent. */
const heldBytes = () => process.memoryUsage().arrayBuffers;

test('[T13] a reader that takes nothing is cut after two heartbeats, memory stays flat, and another gets it all', async () => {
  const slow: Watch[] = [];
  for (let count = 0; count < SLOW_READERS; count += 1) {
    const made = await watch();
    made.pause();
    slow.push(made);
  }
  const before = heldBytes();
  const fast = await watch();
  await fast.until(() => fast.events.length === EVENTS + 1);
  expect(fast.events.at(-1)?.id).toBe(String(EVENTS));
  expect(heldBytes() - before).toBeLessThan(HELD_MIB_MAX * MIB);
  timers.advance(20_000);
  await fast.until(() => fast.comments() === 1);
  timers.advance(20_000);
  await fast.until(() => fast.comments() === 2);
  for (const made of slow) {
    made.resume();
    await made.untilOver();
    expect(made.ending()).toBe('broken');
    expect(made.events.length).toBeLessThan(EVENTS);
  }
  expect(fast.ending()).toBeNull();
  fast.abort();
});
