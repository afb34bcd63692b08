/**
 * Live streams of a scan with three replicas: events reach every replica, once and in order, and a stream resumes
 * anywhere.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  createShell,
  progressEvents,
  sendProgress,
  watchEvents,
  type DeviceActor,
  type SessionActor,
  type Watch,
} from '@svc/testkit';
import {
  startReplicas,
  startSharedStores,
  storesMissing,
  type Replicas,
  type SharedStores,
} from '@svc/testkit/replicas';
import { systemClock } from '../../src/ports.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** A report accepts at most 600 events in a minute. */
const EVENTS = 500;
const EVENTS_IN_A_CALL = 5;
const SENDERS = 6;
const ARRIVES_WITHIN_MS = 1000;

describe.skipIf(storesMissing())('streams of three replicas (install Ceph and Redis)', () => {
  let stores: SharedStores;
  let replicas: Replicas;
  let owner: SessionActor;
  let device: DeviceActor;
  beforeAll(async () => {
    stores = await startSharedStores();
    replicas = await startReplicas(stores);
    owner = await replicas.signUp();
    device = await replicas.linkDevice(owner);
  });
  afterAll(async () => {
    await replicas?.close();
    await stores?.remove();
  });

  async function watch(index: number, reportId: string, lastEventId?: string): Promise<Watch> {
    const { url } = replicas.at(index);
    const resume = lastEventId !== undefined;
    const watching = await watchEvents(url, reportId, { cookie: owner.cookie, lastEventId, resume });
    await watching.until(() => watching.events.length > 0);
    return watching;
  }

  /** The ids and contents that a stream sent after its greeting. */
  const received = ({ events }: Watch) =>
    events.filter(({ event }) => event !== 'hello').map(({ id, data }) => ({ id, data }));
  const eventIds = (all: readonly { readonly data: string }[]) =>
    all.map(({ data }) => (JSON.parse(data) as { eventId: string }).eventId);

  test('[D7] show each event once, in one order, whichever replica received it', async () => {
    const { reportId } = await createShell(device);
    const watches = await Promise.all([0, 1, 2].map((index) => watch(index, reportId)));
    const sent = progressEvents(systemClock, reportId, EVENTS);
    const calls = Array.from({ length: EVENTS / EVENTS_IN_A_CALL }, (_, at) =>
      sent.slice(at * EVENTS_IN_A_CALL, (at + 1) * EVENTS_IN_A_CALL),
    );
    await Promise.all(
      Array.from({ length: SENDERS }, async () => {
        for (let call = calls.shift(); call; call = calls.shift()) await sendProgress(device, reportId, call);
      }),
    );
    await Promise.all(watches.map((one) => one.until(() => received(one).length >= EVENTS)));
    const [first, ...others] = watches.map(received);
    for (const other of others) expect(other).toEqual(first);
    expect(eventIds(first ?? []).toSorted()).toEqual(sent.map(({ eventId }) => eventId).toSorted());
    for (const one of watches) one.abort();
    expect(replicas.balancer.sent().every((count) => count > 0)).toBe(true);
  });

  test('[D7] show an event of another replica within a second', async () => {
    const { reportId } = await createShell(device);
    const watching = await watch(0, reportId);
    const other = replicas.at(1).withDeviceToken(device.deviceToken);
    for (let count = 1; count <= 50; count += 1) {
      await sendProgress(other, reportId, progressEvents(systemClock, reportId, 1));
      const began = performance.now();
      await watching.until(() => received(watching).length === count);
      expect(performance.now() - began).toBeLessThan(ARRIVES_WITHIN_MS);
    }
    watching.abort();
  });

  test('[D7] resume on another replica after the last event, when their own was killed', async () => {
    const { reportId } = await createShell(device);
    const sent = progressEvents(systemClock, reportId, EVENTS);
    const before = await watch(0, reportId);
    const others = [1, 2].map((index) => replicas.at(index).withDeviceToken(device.deviceToken));
    const sending = (async () => {
      for (let at = 0; at < EVENTS; at += EVENTS_IN_A_CALL)
        await sendProgress(others[at % 2] ?? device, reportId, sent.slice(at, at + EVENTS_IN_A_CALL));
    })();
    await before.until(() => received(before).length > EVENTS / 4);
    replicas.at(0).signal('SIGKILL');
    await before.untilOver();
    const seen = received(before);
    expect(seen.length).toBeLessThan(EVENTS);
    await pause(100);
    const after = await watch(2, reportId, seen.at(-1)?.id);
    await sending;
    await after.until(() => seen.length + received(after).length >= EVENTS);
    expect(eventIds([...seen, ...received(after)])).toEqual(sent.map(({ eventId }) => eventId));
    after.abort();
    await replicas.revive(0);
    await replicas.balancer.until(0, true);
  });
});
