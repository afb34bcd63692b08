/** Three replicas are restarted one after the other, as an upgrade does, and no client notices. */
import {
  createShell,
  progressEvents,
  sendProgress,
  shareOf,
  syncReport,
  watchEvents,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import {
  startReplicas,
  startSharedStores,
  storesMissing,
  type Replicas,
  type SharedStores,
} from '@svc/testkit/replicas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/ports.ts';

const LOOPS_EACH = 2;
const EVENTS_IN_A_CALL = 5;
/** A report accepts at most 600 events in a minute. */
const EVENTS_EVERY_MS = 600;

describe.skipIf(storesMissing())('three replicas under load (install Ceph and Redis)', () => {
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

  test('[D15] are restarted one after the other without one failed request', async () => {
    const { reportId } = await syncReport(device);
    const { slug } = await shareOf(owner, reportId);
    const live = await createShell(device);
    const failures: string[] = [];
    const over = new AbortController();
    let requests = 0;

    /** Repeats calls, each of which has to succeed. */
    async function repeat(what: string, call: () => Promise<unknown>): Promise<void> {
      while (!over.signal.aborted) {
        try {
          await call();
        } catch (error) {
          failures.push(`${what}: ${String(error)} ${String((error as Error).cause)}`);
        }
        requests += 1;
      }
    }
    const get = (path: string) => async () => {
      const answer = await owner.fetch(`/api/v1${path}`);
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`the status is ${answer.status}`);
    };
    const loops = {
      session: get('/session'),
      report: get(`/reports/${reportId}`),
      share: get(`/shares/slug/${slug}/report`),
      export: get(`/reports/${reportId}/export/json`),
      sync: () => syncReport(device),
    };
    const running = Object.entries(loops).flatMap(([what, call]) =>
      Array.from({ length: LOOPS_EACH }, () => repeat(what, call)),
    );

    const sent: string[] = [];
    const sending = repeat('progress', async () => {
      const events = progressEvents(systemClock, live.reportId, EVENTS_IN_A_CALL);
      await sendProgress(device, live.reportId, events);
      sent.push(...events.map(({ eventId }) => eventId));
      await new Promise((resolve) => setTimeout(resolve, EVENTS_EVERY_MS));
    });
    let isAllSent = false;
    void sending.then(() => (isAllSent = true));
    const seen: string[] = [];
    const endings: (string | null)[] = [];
    /** Watches as a browser does: it comes back after the end of a stream, with the last id. */
    async function watchOn(): Promise<void> {
      let lastEventId = '0';
      const done = new AbortController();
      while (!done.signal.aborted) {
        const given = { cookie: owner.cookie, lastEventId, resume: true };
        const watch = await watchEvents(replicas.url, live.reportId, given);
        if (watch.status !== 200) failures.push(`stream: the status is ${watch.status}`);
        let taken = 0;
        const take = () => {
          for (const { event, id, data } of watch.events.slice(taken)) {
            taken += 1;
            if (event === 'hello') continue;
            lastEventId = id ?? lastEventId;
            seen.push((JSON.parse(data) as { eventId: string }).eventId);
          }
          if (isAllSent && seen.length >= sent.length) done.abort();
          return done.signal.aborted;
        };
        const looking = setInterval(take, 20);
        await Promise.race([watch.untilOver(), untilTrue(take)]);
        clearInterval(looking);
        take();
        endings.push(watch.ending());
        watch.abort();
      }
    }
    const watching = watchOn();

    const codes: (number | null)[] = [];
    for (const index of [0, 1, 2]) {
      codes.push(await replicas.restart(index));
      await replicas.balancer.until(index, true);
    }
    over.abort();
    await Promise.all([...running, sending, watching]);
    expect(failures).toEqual([]);
    expect(codes).toEqual([0, 0, 0]);
    expect(seen).toEqual(sent);
    // The stream has been on at least one replica that was restarted.
    expect(endings.slice(0, -1)).toContain('ended');
    expect(endings).not.toContain('broken');
    expect(requests).toBeGreaterThan(100);
  });
});

function untilTrue(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!holds()) return;
      clearInterval(timer);
      resolve();
    }, 20);
  });
}
