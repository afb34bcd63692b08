/** How events about subscriptions change plans. */
import type { Plan } from '@svc/contract';
import {
  atOnce,
  BILLING_SECRET,
  bodyOf,
  createFakeClock,
  createTeam,
  newSubscriptionId,
  sendEvent,
  startServer,
  subscriptionEvent,
  type EventGiven,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const ADMINISTRATOR = 'operator@example.test';
const DAY_MS = 86_400_000;
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let administrator: SessionActor;
let workspaceId: string;

beforeAll(async () => {
  const config = { billingWebhookSecrets: [BILLING_SECRET], platformAdminEmail: ADMINISTRATOR };
  server = await startServer({ clock, config });
  administrator = await server.signUp({ email: ADMINISTRATOR });
  owner = await server.signUp();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspaceId = await createTeam(owner, []);
});

type Event = ReturnType<typeof subscriptionEvent>;

const send = (event: unknown) => sendEvent(server, event);
const eventOf = (given: Partial<EventGiven> = {}): Event =>
  subscriptionEvent({ at: clock.now(), workspaceId, ...given });
const sendOf = (given: Partial<EventGiven> = {}) => send(eventOf(given));
const planOf = async (id = workspaceId, by = owner) =>
  bodyOf(await by.api.getBillingPlan({ query: { workspaceId: id } }));
const nameOf = async (id = workspaceId): Promise<Plan> => (await planOf(id)).plan;
const applied = { applied: true };

async function setByAdministrator(plan: Plan): Promise<void> {
  bodyOf(await administrator.api.changeWorkspacePlan({ params: { id: workspaceId }, body: { plan } }));
}

describe('the plan of a workspace', () => {
  test('[D18] is free without a subscription, with the configured limits', async () => {
    expect(await planOf()).toEqual({
      workspaceId,
      plan: 'free',
      limits: { daily: 5, weekly: 15, retentionDays: 21, activeShares: 5 },
    });
    await using other = await startServer({ generousPlans: true });
    const person = await other.signUp();
    const [personal] = bodyOf(await person.api.listWorkspaces()).workspaces;
    const { limits } = await planOf(personal?.workspaceId ?? '', person);
    expect(limits.daily).toBeGreaterThan(5);
  });

  test('[D18] and the quota change with the subscription, and return to free when it ends', async () => {
    const subscription = newSubscriptionId();
    const quota = async () => bodyOf(await owner.api.getSyncQuota({ query: { workspaceId } }));
    const of = (what: EventGiven['what'], more: Partial<EventGiven> = {}) =>
      sendOf({ subscription, ...(what ? { what } : {}), ...more });
    expect((await quota()).daily.limit).toBe(5);
    expect(await of('created', { lookupKey: 'pro_yearly' })).toEqual(applied);
    expect(await planOf()).toEqual({
      workspaceId,
      plan: 'pro',
      limits: { daily: 50, weekly: 200, retentionDays: 90, activeShares: 25 },
      subscription: {
        status: 'active',
        currentPeriodEnd: new Date(Math.floor(clock.now() / 1000) * 1000 + 30 * DAY_MS).toISOString(),
        cancelAtPeriodEnd: false,
      },
    });
    expect(await quota()).toMatchObject({ plan: 'pro', daily: { limit: 50 }, weekly: { limit: 200 } });
    clock.advance(1000);
    await of('updated', { lookupKey: 'team', also: { cancel_at_period_end: true } });
    expect(await planOf()).toMatchObject({ plan: 'team', subscription: { cancelAtPeriodEnd: true } });
    expect((await quota()).daily.limit).toBe(200);
    clock.advance(1000);
    await of('deleted');
    expect(await planOf()).toMatchObject({ plan: 'free', subscription: { status: 'canceled' } });
    expect(await quota()).toMatchObject({ plan: 'free', daily: { limit: 5 } });
  });

  test('[D18] ignores a deletion that is older, and follows events newer than a deletion', async () => {
    const subscription = newSubscriptionId();
    const at = clock.now();
    const sent = async (what: 'updated' | 'deleted', afterMs: number) =>
      sendOf({ subscription, what, at: at + afterMs });
    expect(await sent('updated', 5000)).toEqual(applied);
    expect(await sent('deleted', 0)).toEqual({ applied: false, reason: 'older_event' });
    expect(await planOf()).toMatchObject({ plan: 'pro' });
    expect(await sent('deleted', 6000)).toEqual(applied);
    expect(await planOf()).toMatchObject({ plan: 'free' });
    expect(await sent('updated', 7000)).toEqual(applied);
    expect(await planOf()).toMatchObject({ plan: 'pro' });
  });

  test('[D18] stays while a payment is overdue, and ends when the provider gives up', async () => {
    const subscription = newSubscriptionId();
    for (const [status, plan] of [
      ['incomplete', 'free'],
      ['active', 'pro'],
      ['past_due', 'pro'],
      ['unpaid', 'free'],
      ['active', 'pro'],
    ] as const) {
      clock.advance(1000);
      expect(await sendOf({ subscription, status })).toEqual(applied);
      expect(await planOf()).toMatchObject({ plan, subscription: { status } });
    }
  });

  test('[D18] is audited without an actor, and only when it changed', async () => {
    const subscription = newSubscriptionId();
    await sendOf({ subscription, what: 'created' });
    clock.advance(1000);
    await sendOf({ subscription });
    clock.advance(1000);
    await sendOf({ subscription, what: 'deleted' });
    const { entries } = bodyOf(await owner.api.listWorkspaceAudit({ params: { id: workspaceId } }));
    const changes = entries.filter(({ action }) => action === 'workspace_plan_changed');
    expect(changes.map(({ actorId, detail }) => [actorId, detail])).toEqual([
      [null, 'pro'],
      [null, 'free'],
    ]);
  });

  test('[D18] is that of the new subscription when the old one is deleted, and the highest of two', async () => {
    const [old, fresh] = [newSubscriptionId(), newSubscriptionId()];
    await sendOf({ subscription: old, lookupKey: 'team' });
    await sendOf({ subscription: fresh, lookupKey: 'pro' });
    expect(await nameOf()).toBe('team');
    clock.advance(1000);
    await sendOf({ subscription: old, what: 'deleted', lookupKey: null });
    expect(await planOf()).toMatchObject({ plan: 'pro', subscription: { status: 'active' } });
  });

  test('[D18] stays as the administrator set it until an event leads to another plan', async () => {
    const subscription = newSubscriptionId();
    await sendOf({ subscription });
    await setByAdministrator('enterprise');
    clock.advance(1000);
    expect(await sendOf({ subscription, status: 'past_due' })).toEqual(applied);
    expect(await nameOf()).toBe('enterprise');
    clock.advance(1000);
    await sendOf({ subscription, lookupKey: 'team' });
    expect(await nameOf()).toBe('team');
  });

  test('[D18] moves with a subscription to another workspace, and is shown to its members', async () => {
    const subscription = newSubscriptionId();
    const member = await server.signUp();
    const other = await createTeam(owner, [member]);
    await sendOf({ subscription });
    clock.advance(1000);
    await sendOf({ subscription, workspaceId: other });
    expect([await nameOf(), await nameOf(other)]).toEqual(['free', 'pro']);
    expect((await planOf(other, member)).plan).toBe('pro');
    expect(await planOf()).not.toHaveProperty('subscription');
  });
});

describe('an event', () => {
  test('[T20] counts once, even if it arrives many times simultaneously', async () => {
    const event = eventOf({ what: 'created' });
    const taken = await atOnce(20, () => send(event));
    expect(taken.filter((each) => each.applied)).toHaveLength(1);
    const again = { applied: false, reason: 'seen_before' };
    expect(taken.filter((each) => !each.applied)).toEqual(Array.from({ length: 19 }, () => again));
    await setByAdministrator('free');
    expect(await send(event)).toEqual(again);
    expect(await nameOf()).toBe('free');
  });

  test('[T20] changes the workspace that it names, and no other', async () => {
    const other = await createTeam(owner, []);
    await sendOf({ workspaceId: other, lookupKey: 'enterprise' });
    expect([await nameOf(), await nameOf(other)]).toEqual(['free', 'enterprise']);
  });

  test('[D18] that cannot be applied is accepted, changes nothing, and is logged without its content', async () => {
    const cases = [
      [{ ...eventOf(), type: 'invoice.paid' }, 'another_type'],
      [eventOf({ also: { id: 12 } }), 'unreadable'],
      [eventOf({ lookupKey: 'gold' }), 'unknown_lookup_key'],
      [eventOf({ status: 'new' }), 'unknown_status'],
      [eventOf({ workspaceId: `ws_${'0'.repeat(26)}` }), 'unknown_workspace'],
      [eventOf({ workspaceId: 'canary of a workspace' }), 'unknown_workspace'],
    ] as const;
    for (const [event, reason] of cases) {
      expect(await send(event)).toEqual({ applied: false, reason });
      const lines = server.logLines.filter((line) => line.includes(event.id));
      expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
        expect.objectContaining({
          level: reason === 'another_type' ? 'info' : 'warn',
          msg: 'billing event not applied',
          eventId: event.id,
          reason,
        }),
      ]);
    }
    expect(await planOf()).toMatchObject({ plan: 'free' });
    const log = server.logLines.join('');
    for (const secret of ['canary', 'cus_of_somebody', 'gold', BILLING_SECRET, 'v1='])
      expect(log).not.toContain(secret);
  });

  test('[D18] of a deleted workspace changes nothing', async () => {
    const subscription = newSubscriptionId();
    await sendOf({ subscription });
    bodyOf(await owner.api.deleteWorkspace({ params: { id: workspaceId } }));
    clock.advance(1000);
    for (const what of ['updated', 'deleted'] as const)
      expect(await sendOf({ subscription, what })).toEqual({ applied: false, reason: 'unknown_workspace' });
  });
});
