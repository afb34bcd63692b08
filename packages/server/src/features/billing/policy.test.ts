import { plans, subscriptionStatuses, type BillingEvent } from '@svc/contract';
import { subscriptionEvent } from '@svc/testkit/billing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isNewer, planOfKey, planPaid, readEvent, shownOf, type SubscriptionState } from './policy.ts';

const WORKSPACE = `ws_${'0'.repeat(26)}`;
const AT = Date.parse('2026-01-07T12:00:00Z');

const eventWith = (also: Readonly<Record<string, unknown>>, what?: 'created' | 'updated' | 'deleted') =>
  subscriptionEvent({ at: AT, workspaceId: WORKSPACE, also, ...(what ? { what } : {}) });
const items = (item: unknown) => ({ items: { data: [item] } });
const reasonOf = (event: BillingEvent) => readEvent(event).reason;

describe('the plan of a lookup key', () => {
  test.each([
    ['free', 'free'],
    ['pro', 'pro'],
    ['pro_yearly', 'pro'],
    ['team-eur-2026', 'team'],
    ['enterprise_', 'enterprise'],
    ['professional', null],
    ['Pro', null],
    ['my_pro', null],
    ['', null],
    ['_pro', null],
    [null, null],
    [undefined, null],
    [4, null],
    ['constructor', null],
  ])('[D18] of %j is %j', (key, plan) => {
    expect(planOfKey(key)).toBe(plan);
  });
});

describe('what is read from an event', () => {
  test('[D18] contains the plan, the status and the end of the period', () => {
    const event = eventWith({ id: 'sub_one' }, 'created');
    expect(readEvent(event)).toEqual({
      state: {
        id: 'sub_one',
        workspaceId: WORKSPACE,
        status: 'active',
        plan: 'pro',
        currentPeriodEnd: AT + 30 * 86_400_000,
        cancelAtPeriodEnd: 0,
        eventAt: AT,
        eventRank: 0,
        eventId: event.id,
      },
    });
  });

  test('[D18] takes the end of the period from the subscription in older versions of the provider’s API', () => {
    const event = eventWith({
      current_period_end: 1_800_000_000,
      ...items({ price: { lookup_key: 'team' } }),
    });
    expect(readEvent(event).state).toMatchObject({ plan: 'team', currentPeriodEnd: 1_800_000_000_000 });
  });

  test.each([
    [{ cancel_at_period_end: true }, 1],
    [{ cancel_at: AT / 1000 + 30 * 86_400 }, 1],
    [{ cancel_at: AT / 1000 + 31 * 86_400 }, 0],
    [{ cancel_at_period_end: 'true', cancel_at: 'soon' }, 0],
  ])('[D18] of a subscription with %j has the cancelAtPeriodEnd %i', (also, ends) => {
    expect(readEvent(eventWith(also)).state?.cancelAtPeriodEnd).toBe(ends);
  });

  test('[D18] of a deletion is the status canceled, whatever else it contains', () => {
    const event = eventWith({ status: 'active', ...items({ price: { lookup_key: null } }) }, 'deleted');
    expect(readEvent(event).state).toMatchObject({ status: 'canceled', plan: null });
  });

  test('[D18] is nothing for another type or when a required field is missing', () => {
    const other = { ...eventWith({}), type: 'invoice.paid' };
    expect(reasonOf(other)).toBe('another_type');
    expect(reasonOf({ ...other, type: 'customer.subscription.trial_will_end' })).toBe('another_type');
    for (const id of [undefined, null, 4, '', 'a b', 'sub_\0', 'x'.repeat(256)])
      expect(reasonOf(eventWith({ id }))).toBe('unreadable');
    for (const status of [undefined, null, 'new', 'ACTIVE', ['active']])
      expect(reasonOf(eventWith({ status }))).toBe('unknown_status');
    for (const metadata of [undefined, null, {}, { workspaceId: 4 }, 'text', []])
      expect(reasonOf(eventWith({ metadata }))).toBe('unknown_workspace');
    const unpriced = [undefined, null, {}, { data: null }, { data: {} }, { data: [] }, { data: [null] }];
    for (const given of [
      ...unpriced,
      { data: [{ price: null }] },
      { data: [{ price: { lookup_key: 'gold' } }] },
    ])
      expect(reasonOf(eventWith({ items: given }))).toBe('unknown_lookup_key');
  });

  test('[T20] never fails, whatever the event contains', () => {
    const anything = fc.anything({ withNullPrototype: true });
    const given = fc.record(
      {
        id: fc.oneof(fc.constant('sub_one'), anything),
        status: fc.oneof(fc.constantFrom(...subscriptionStatuses), anything),
        metadata: fc.oneof(fc.constant({ workspaceId: WORKSPACE }), anything),
        items: fc.oneof(
          fc.record({ data: fc.oneof(fc.array(anything), anything) }),
          fc.constant({ data: [{ price: { lookup_key: 'pro' } }] }),
          anything,
        ),
        current_period_end: anything,
        cancel_at: anything,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(given, fc.constantFrom('created', 'updated', 'deleted'), (object, what) => {
        const type = `customer.subscription.${what}`;
        const { state, reason } = readEvent({ id: 'evt_one', type, created: 1, data: { object } });
        expect((state === undefined) !== (reason === undefined)).toBe(true);
      }),
    );
  });
});

const place = fc.record({
  eventAt: fc.constantFrom(1000, 2000, 3000),
  eventRank: fc.integer({ min: 0, max: 2 }),
  eventId: fc.constantFrom('evt_a', 'evt_b', 'evt_c', 'evt_d'),
});

describe('the newer of two events', () => {
  test('[D18] is one of the two unless they are equal, and the order is transitive', () => {
    fc.assert(
      fc.property(place, place, place, (one, other, third) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        expect(Number(isNewer(one, other)) + Number(isNewer(other, one))).toBe(same ? 0 : 1);
        const goesOn = !(isNewer(one, other) && isNewer(other, third)) || isNewer(one, third);
        expect(goesOn).toBe(true);
      }),
    );
  });

  test('[D18] is the later one, and within one second the deletion rather than the creation', () => {
    const of = (eventAt: number, eventRank: number, eventId = 'evt_b') => ({ eventAt, eventRank, eventId });
    expect(isNewer(of(1000, 2), of(9000, 1))).toBe(false);
    expect(isNewer(of(1000, 2, 'evt_a'), of(1000, 1, 'evt_z'))).toBe(true);
    expect(isNewer(of(1000, 1, 'evt_a'), of(1000, 0, 'evt_z'))).toBe(true);
    expect(isNewer(of(2000, 0), of(1000, 1))).toBe(true);
    expect(isNewer(of(1000, 1), of(1000, 1))).toBe(false);
  });
});

describe('the plan that subscriptions pay for', () => {
  test.each([
    ['active', 'team'],
    ['trialing', 'team'],
    ['past_due', 'team'],
    ['canceled', 'free'],
    ['unpaid', 'free'],
    ['incomplete', 'free'],
    ['incomplete_expired', 'free'],
    ['paused', 'free'],
  ] as const)('[D18] with a subscription that is %s is %s', (status, plan) => {
    expect(planPaid([{ status, plan: 'team' }])).toBe(plan);
  });

  const subscription = fc.record({
    status: fc.constantFrom(...subscriptionStatuses),
    plan: fc.option(fc.constantFrom(...plans)),
  });

  test('[D18] is the highest, in any order, and one more subscription never lowers it', () => {
    fc.assert(
      fc.property(fc.array(subscription), subscription, (some, more) => {
        const paid = planPaid(some);
        expect(planPaid(some.toReversed())).toBe(paid);
        expect(plans.indexOf(planPaid([...some, more]))).toBeGreaterThanOrEqual(plans.indexOf(paid));
      }),
    );
    expect(planPaid([])).toBe('free');
  });

  test('[D18] is shown with the subscription that pays for it, else with the last one updated', () => {
    const of = (
      id: string,
      eventAt: number,
      status: SubscriptionState['status'],
      plan: SubscriptionState['plan'],
    ) => ({ id, eventAt, eventRank: 1, eventId: 'evt_a', status, plan }) as const;
    const old = of('sub_a', 1000, 'active', 'pro');
    const ended = of('sub_b', 3000, 'canceled', 'team');
    const unpaid = of('sub_c', 2000, 'unpaid', 'team');
    expect(shownOf([ended, old, unpaid])).toBe(old);
    expect(shownOf([unpaid, ended])).toBe(ended);
    expect(shownOf([])).toBeNull();
  });
});
