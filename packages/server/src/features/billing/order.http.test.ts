/** Events arrive in any order, and any number of times. */
import {
  BILLING_SECRET,
  bodyOf,
  createFakeClock,
  createTeam,
  newEventId,
  newSubscriptionId,
  sendEvent,
  startServer,
  subscriptionEvent,
} from '@svc/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const DAY_MS = 86_400_000;

const step = fc.record({
  what: fc.constantFrom('created', 'updated', 'updated', 'updated', 'deleted'),
  // Few values, so that many events happen in the same second.
  second: fc.integer({ min: 0, max: 3 }),
  status: fc.constantFrom('active', 'past_due', 'incomplete', 'unpaid', 'canceled'),
  lookupKey: fc.constantFrom('free', 'pro', 'team', 'enterprise', 'gold', null),
  subscription: fc.integer({ min: 0, max: 1 }),
  workspace: fc.integer({ min: 0, max: 1 }),
});

/** All events in some order, and some of them twice. */
const orderOf = (count: number) =>
  fc
    .shuffledSubarray([...Array.from({ length: count }).keys()], { minLength: count })
    .chain((once) =>
      fc.array(fc.constantFrom(...once), { maxLength: 3 }).map((again) => [...once, ...again]),
    );

const arrivals = fc
  .array(step, { minLength: 1, maxLength: 7 })
  .chain((steps) =>
    fc.record({ steps: fc.constant(steps), one: orderOf(steps.length), other: orderOf(steps.length) }),
  );

test('[T20] events in any order end in the same plans and the same subscriptions', async () => {
  await using server = await startServer({
    clock: createFakeClock(),
    config: { billingWebhookSecrets: [BILLING_SECRET] },
  });
  const owner = await server.signUp();

  await fc.assert(
    fc.asyncProperty(arrivals, async ({ steps, one, other }) => {
      const ids = steps.map(newEventId);
      async function outcomeOf(order: readonly number[]) {
        const workspaces = [await createTeam(owner, []), await createTeam(owner, [])];
        const run = newSubscriptionId();
        const events = steps.map(({ second, subscription, workspace, ...given }, index) =>
          subscriptionEvent({
            ...given,
            // In both runs the ids sort in the same order. They decide the order of events within one second.
            id: `${ids[index]}_${run}`,
            at: server.clock.now() + second * 1000,
            subscription: `${run}_${subscription}`,
            workspaceId: workspaces[workspace] ?? '',
          }),
        );
        for (const index of order) await sendEvent(server, events[index]);
        const plans = workspaces.map((workspaceId) => owner.api.getBillingPlan({ query: { workspaceId } }));
        return (await Promise.all(plans)).map((plan) => ({ ...bodyOf(plan), workspaceId: null }));
      }
      expect(await outcomeOf(one)).toEqual(await outcomeOf(other));
    }),
    { numRuns: 30 },
  );
});

test('[T20] an event is remembered for ninety days, and the state of its subscription permanently', async () => {
  const clock = createFakeClock();
  await using server = await startServer({ clock, config: { billingWebhookSecrets: [BILLING_SECRET] } });
  const workspaceId = await createTeam(await server.signUp(), []);
  const event = subscriptionEvent({ at: clock.now(), workspaceId });
  const remembered = () => server.service.database.read.selectFrom('billingEvents').select('id').execute();
  const sweep = () => server.runJob('received billing events');

  expect(await sendEvent(server, event)).toEqual({ applied: true });
  clock.advance(90 * DAY_MS - 1000);
  await sweep();
  expect(await sendEvent(server, event)).toEqual({ applied: false, reason: 'seen_before' });
  clock.advance(2000);
  await sweep();
  expect(await remembered()).toEqual([]);
  expect(await sendEvent(server, event)).toEqual({ applied: false, reason: 'older_event' });
});
