/** Readers that receive nothing, beside a reader that receives everything. */
import {
  createFakeClock,
  createFakeTimers,
  createShell,
  storeEvents,
  watchEvents,
  type SessionActor,
  type Watch,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, expect, test } from 'vitest';

/** Some 20 MB of text: more than the system's buffers hold. */
const EVENTS = 100_000;
const SLOW_READERS = 10;
/** Less than half of what these readers have not received. */
const HELD_MIB_MAX = 40;
const MIB = 1024 * 1024;

const clock = createFakeClock();
const timers = createFakeTimers();
let owner: SessionActor;
let reportId: string;

const server = sharedServer({ clock, timers, generousPlans: true });

beforeAll(async () => {
  owner = await server.signUp();
  const device = await server.linkDevice(owner);
  ({ reportId } = await createShell(device));
  await storeEvents(server, reportId, EVENTS);
});

const watch = () => watchEvents(server.url, reportId, { cookie: owner.cookie });
/** Memory outside the heap, such as bytes that wait to be sent. */
const heldBytes = () => process.memoryUsage().arrayBuffers;

test('[T13] a reader that receives nothing is cut off after two heartbeats, memory stays flat, and another reader receives everything', async () => {
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
