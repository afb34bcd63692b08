/** Two processes share a database and receive the events of one payment provider. */
import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import {
  atOnce,
  BILLING_SECRET,
  bodyOf,
  createTeam,
  createTestStorage,
  newSubscriptionId,
  postgresUrl,
  sendEvent,
  startServer,
  subscriptionEvent,
  type TestServer,
} from '@svc/testkit';
import { describe, expect, test } from 'vitest';

const send = async (event: unknown, to: TestServer) => (await sendEvent(to, event)).applied;

describe.skipIf(postgresUrl === undefined)('two replicas (only on PostgreSQL)', () => {
  test('[T20] apply each event once, and the newest event of a subscription wins, whichever replica received it', async () => {
    await using storage = await createTestStorage();
    const { database } = storage;
    const config = { database, masterKeys: [randomBytes(32)], billingWebhookSecrets: [BILLING_SECRET] };
    await using one = await startServer({ config });
    await using other = await startServer({ config });
    const owner = await one.signUp();
    const workspaceId = await createTeam(owner, []);
    const at = one.clock.now();
    const plans = async () => [
      bodyOf(await owner.api.getBillingPlan({ query: { workspaceId } })).plan,
      bodyOf(await other.withCookie(owner.cookie).api.getSyncQuota({ query: { workspaceId } })).plan,
    ];

    const first = subscriptionEvent({ at, workspaceId, what: 'created' });
    const taken = await atOnce(20, (index) => send(first, index % 2 === 0 ? one : other));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await plans()).toEqual(['pro', 'pro']);

    const subscription = newSubscriptionId();
    const events = Array.from({ length: 20 }, (_, index) =>
      subscriptionEvent({
        at: at + index * 1000,
        workspaceId,
        subscription,
        lookupKey: index === 19 ? 'team' : 'enterprise',
      }),
    );
    await Promise.all(events.toReversed().flatMap((event) => [send(event, one), send(event, other)]));
    expect(await plans()).toEqual(['team', 'team']);

    // The events of several new subscriptions are sent in parallel.
    const fresh = Array.from({ length: 10 }, () => subscriptionEvent({ at, workspaceId, lookupKey: 'team' }));
    await Promise.all(fresh.map((event, index) => send(event, index % 2 === 0 ? one : other)));
    const all = [first.data.object.id, subscription, ...fresh.map(({ data }) => data.object.id)];
    const ends = all.map((id) =>
      subscriptionEvent({ at: at + 60_000, workspaceId, what: 'deleted', subscription: id }),
    );
    await Promise.all(ends.map((event, index) => send(event, index % 2 === 0 ? one : other)));
    expect(await plans()).toEqual(['free', 'free']);
  });

  test('[D18] an event is rejected temporarily while the database is unreachable, and counts when it is sent again', async () => {
    await using storage = await createTestStorage();
    const { database } = storage;
    if (database.kind !== 'postgres') throw new Error('This test needs PostgreSQL.');
    const way = await startWayTo(new URL(database.url));
    {
      const config = {
        database: { kind: 'postgres', url: way.url } as const,
        billingWebhookSecrets: [BILLING_SECRET],
      };
      await using server = await startServer({ config });
      const owner = await server.signUp();
      const workspaceId = await createTeam(owner, []);
      const event = subscriptionEvent({ at: server.clock.now(), workspaceId });
      way.close();
      await expect(sendEvent(server, event)).rejects.toThrow('answered with 503');
      way.open();
      expect(await sendEvent(server, event)).toEqual({ applied: true });
      expect(await sendEvent(server, event)).toEqual({ applied: false, reason: 'seen_before' });
    }
    await way.end();
  });
});

/** Puts a closable proxy in front of a database. */
async function startWayTo(database: URL) {
  const open = new Set<Socket>();
  let isOpen = true;
  const way = createServer((socket) => {
    if (!isOpen) {
      socket.destroy();
      return;
    }
    const there = connect(Number(database.port), database.hostname);
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const { port } = way.address() as AddressInfo;
  const url = new URL(database);
  url.host = `127.0.0.1:${port}`;
  const cut = () => open.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    open() {
      isOpen = true;
    },
    close() {
      isOpen = false;
      cut();
    },
    end: () => new Promise((resolve) => way.close(resolve)),
  };
}
