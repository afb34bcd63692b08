/** Two processes on one database, to which one payment provider sends. */
import { randomBytes } from 'node:crypto';
import {
  BILLING_SECRET,
  bodyOf,
  createTeam,
  createTestDatabase,
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
  test('[T20] apply each event once, and the newest of a subscription wins, whoever got which when', async () => {
    const { config: database, drop } = await createTestDatabase();
    const config = { database, masterKey: randomBytes(32), billingWebhookSecrets: [BILLING_SECRET] };
    {
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
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, index) => send(first, index % 2 === 0 ? one : other)),
      );
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

      // Of several new subscriptions at once each is judged beside the others.
      const fresh = Array.from({ length: 10 }, () =>
        subscriptionEvent({ at, workspaceId, lookupKey: 'team' }),
      );
      await Promise.all(fresh.map((event, index) => send(event, index % 2 === 0 ? one : other)));
      const all = [first.data.object.id, subscription, ...fresh.map(({ data }) => data.object.id)];
      const ends = all.map((id) =>
        subscriptionEvent({ at: at + 60_000, workspaceId, what: 'deleted', subscription: id }),
      );
      await Promise.all(ends.map((event, index) => send(event, index % 2 === 0 ? one : other)));
      expect(await plans()).toEqual(['free', 'free']);
    }
    await drop();
  });
});
