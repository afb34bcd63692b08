import type { Plan } from '@svc/contract';
import { atOnce, bodyOf, createTeam, setPlan, createFakeClock, type SessionActor } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeEach, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Wednesday, six hours into its day window and two days into its week window. */
const WEDNESDAY_NOON = Date.parse('2026-01-07T12:00:00Z');
const clock = createFakeClock(WEDNESDAY_NOON);
const server = sharedServer({ clock });
let person: SessionActor;

beforeEach(async () => {
  clock.set(WEDNESDAY_NOON);
  person = await server.signUp();
});

async function reserve(plan: Plan = 'free', userId = person.user.userId): Promise<string> {
  const { database, app } = server.service;
  const id = app.quota.newReservationId();
  await database.transaction((tx) => app.quota.reserve(tx, { id, userId, plan }));
  return id;
}
const spend = (id: string) =>
  server.service.database.transaction((tx) => server.service.app.quota.spend(tx, id));
const release = (id: string) =>
  server.service.database.transaction((tx) => server.service.app.quota.release(tx, id));
const runJob = () => server.runJob('lapsed quota reservations');

async function reserveTimes(count: number, plan: Plan = 'free'): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await reserve(plan));
  return ids;
}

const quota = async (by: Pick<SessionActor, 'api'> = person) => bodyOf(await by.api.getSyncQuota());
async function used(): Promise<[daily: number, weekly: number]> {
  const { daily, weekly } = await quota();
  return [daily.used, weekly.used];
}

async function makeWorkspace(plan: Plan): Promise<string> {
  const workspaceId = await createTeam(person);
  await setPlan(server, workspaceId, plan);
  return workspaceId;
}

describe('asking', () => {
  test('[D5] without a workspace the free plan applies, for a person and a device', async () => {
    const device = await server.linkDevice(person);
    const expected = {
      eligible: true,
      daily: { used: 0, limit: 5, resetsAt: '2026-01-08T06:00:00.000Z' },
      weekly: { used: 0, limit: 15, resetsAt: '2026-01-12T06:00:00.000Z' },
      retentionDays: 21,
      plan: 'free',
    };
    expect(await quota()).toEqual(expected);
    expect(await quota(device)).toEqual(expected);
  });

  test('[D5] a used-up day blocks, and the next day does not', async () => {
    await reserveTimes(5);
    expect(await quota()).toMatchObject({
      eligible: false,
      blockedBy: 'daily',
      daily: { used: 5, limit: 5 },
    });
    clock.set('2026-01-08T05:59:59.999Z');
    expect((await quota()).eligible).toBe(false);
    clock.set('2026-01-08T06:00:00.000Z');
    const next = await quota();
    expect(next).toMatchObject({ eligible: true, daily: { used: 0 }, weekly: { used: 5 } });
    expect(next).not.toHaveProperty('blockedBy');
  });
});

describe('reserving', () => {
  test('[T9] of 50 parallel reservations at a limit of five, five succeed', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => reserve()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const reasons = outcomes.flatMap((outcome): unknown[] =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    for (const reason of reasons) expect(reason).toMatchObject({ code: 'SYNC_DAILY_LIMIT_REACHED' });
    expect(await used()).toEqual([5, 5]);
  });

  test('[D5] the rejection contains the window that is used up, and the time to wait', async () => {
    await reserveTimes(5);
    await expect(reserve()).rejects.toMatchObject({
      code: 'SYNC_DAILY_LIMIT_REACHED',
      status: 429,
      details: { daily: { used: 5, limit: 5, resetsAt: '2026-01-08T06:00:00.000Z' } },
      retryAfterMs: 18 * HOUR_MS,
    });
    expect(await used()).toEqual([5, 5]);
  });

  test('[D5] fifteen units use up a week, and a rejected unit does not count in its day', async () => {
    // The units are spent immediately, because a reservation would lapse and be released.
    for (const day of ['05', '06', '07']) {
      clock.set(`2026-01-${day}T12:00:00Z`);
      for (const id of await reserveTimes(5)) await spend(id);
    }
    clock.set('2026-01-08T12:00:00Z');
    await expect(reserve()).rejects.toMatchObject({
      code: 'SYNC_WEEKLY_LIMIT_REACHED',
      details: { weekly: { used: 15, limit: 15, resetsAt: '2026-01-12T06:00:00.000Z' } },
      retryAfterMs: 3 * DAY_MS + 18 * HOUR_MS,
    });
    expect(await quota()).toMatchObject({
      eligible: false,
      blockedBy: 'weekly',
      daily: { used: 0 },
      weekly: { used: 15 },
    });
    clock.set('2026-01-12T05:59:59.999Z');
    await expect(reserve()).rejects.toMatchObject({ code: 'SYNC_WEEKLY_LIMIT_REACHED' });
    clock.set('2026-01-12T06:00:00.000Z');
    await reserve();
    expect(await used()).toEqual([1, 1]);
  });

  test('[T9] units are counted over all workspaces, whatever the plan of each', async () => {
    const pro = await makeWorkspace('pro');
    await reserveTimes(4, 'pro');
    await reserve('free');
    await expect(reserve('free')).rejects.toMatchObject({ code: 'SYNC_DAILY_LIMIT_REACHED' });
    await reserveTimes(2, 'pro');
    expect(await quota()).toMatchObject({ blockedBy: 'daily', daily: { used: 7, limit: 5 } });
    const asPro = bodyOf(await person.api.getSyncQuota({ query: { workspaceId: pro } }));
    expect(asPro).toMatchObject({ eligible: true, daily: { used: 7, limit: 50 } });
  });

  test('[T9] one person’s units do not count for another', async () => {
    await reserveTimes(5);
    const other = await server.signUp();
    await reserve('free', other.user.userId);
    expect(await quota(other)).toMatchObject({ daily: { used: 1 } });
  });

  test('[T9] a reservation whose transaction fails does not count', async () => {
    const { database, app } = server.service;
    const failing = database.transaction(async (tx) => {
      const id = app.quota.newReservationId();
      await app.quota.reserve(tx, { id, userId: person.user.userId, plan: 'free' });
      throw new Error('something later failed');
    });
    await expect(failing).rejects.toThrow('something later failed');
    expect(await used()).toEqual([0, 0]);
  });
});

describe('spending and releasing', () => {
  test('[T9] of 100 parallel spends of one reservation one succeeds, and one unit is used', async () => {
    const id = await reserve();
    const outcomes = await atOnce(100, () => spend(id));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await used()).toEqual([1, 1]);
  });

  test('[D5] a released unit is returned once', async () => {
    const [first = ''] = await reserveTimes(2);
    await atOnce(3, () => release(first));
    await release(first);
    expect(await used()).toEqual([1, 1]);
  });

  test('[D5] a spent unit cannot be released', async () => {
    const id = await reserve();
    await spend(id);
    await release(id);
    expect(await used()).toEqual([1, 1]);
  });

  test('[D5] of a simultaneous spend and release exactly one succeeds', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [before] = await used();
      const id = await reserve('enterprise');
      const [wasSpent] = await Promise.all([spend(id), release(id)]);
      expect((await used())[0]).toBe(wasSpent ? before + 1 : before);
    }
  });

  test('[D5] a unit released in a later window is returned to the window of its reservation', async () => {
    const id = await reserve();
    clock.set('2026-01-08T07:00:00Z');
    await reserve();
    await release(id);
    expect(await used()).toEqual([1, 1]);
    clock.set(WEDNESDAY_NOON);
    expect(await used()).toEqual([0, 1]);
  });
});

describe('lapsing', () => {
  test('[D5] a reservation lapses 24 hours after it was created, and its unit is returned', async () => {
    await reserveTimes(5);
    clock.advance(DAY_MS - 1);
    expect(await used()).toEqual([0, 5]);
    clock.advance(1);
    expect(await used()).toEqual([0, 0]);
    clock.set(WEDNESDAY_NOON);
    expect(await used()).toEqual([0, 0]);
  });

  test('[D5] a lapsed reservation cannot be spent, and its unit is returned immediately', async () => {
    const id = await reserve();
    clock.advance(DAY_MS);
    expect(await spend(id)).toBe(false);
    expect(await used()).toEqual([0, 0]);
    expect(await spend(id)).toBe(false);
  });

  test('[D5] a reservation can be spent until it lapses, and counts in the windows in which it was made', async () => {
    const id = await reserve();
    clock.advance(DAY_MS - 1);
    expect(await spend(id)).toBe(true);
    clock.advance(1);
    expect(await used()).toEqual([0, 1]);
  });

  test('[D5] reserving first returns lapsed units, even if no request or job ran meanwhile', async () => {
    for (const day of ['05', '06', '07']) {
      clock.set(`2026-01-${day}T12:00:00Z`);
      const ids = await reserveTimes(5);
      if (day !== '07') for (const id of ids) await spend(id);
    }
    clock.set('2026-01-08T11:59:59.999Z');
    await expect(reserve()).rejects.toMatchObject({ code: 'SYNC_WEEKLY_LIMIT_REACHED' });
    clock.set('2026-01-08T12:00:00Z');
    await reserve();
    expect(await used()).toEqual([1, 11]);
  });

  test('[D5] the job returns the lapsed units of everyone, and nothing else', async () => {
    const other = await server.signUp();
    await reserveTimes(3);
    await reserve('free', other.user.userId);
    clock.advance(HOUR_MS);
    await reserve();
    clock.advance(23 * HOUR_MS);
    await runJob();
    const rows = await server.service.database.read
      .selectFrom('quotaUsage')
      .select(['userId', 'window', 'used'])
      .where('userId', 'in', [person.user.userId, other.user.userId])
      .orderBy('window')
      .execute();
    expect(rows.filter(({ userId }) => userId === person.user.userId).map((row) => row.used)).toEqual([1, 1]);
    expect(rows.filter(({ userId }) => userId === other.user.userId).map((row) => row.used)).toEqual([0, 0]);
  });

  test('[D5] a lapse that many requests settle simultaneously returns each unit once', async () => {
    await reserveTimes(3);
    clock.advance(HOUR_MS);
    for (const id of await reserveTimes(2)) await spend(id);
    clock.advance(23 * HOUR_MS);
    await Promise.all([...Array.from({ length: 10 }, () => quota()), runJob(), runJob()]);
    clock.set(WEDNESDAY_NOON);
    expect(await used()).toEqual([2, 2]);
  });
});

describe('a clock that steps', () => {
  test.each([
    ['over a day', 20 * HOUR_MS],
    ['over a lapse', 2 * DAY_MS],
    ['over a week', 8 * DAY_MS],
    ['over two months', 60 * DAY_MS],
  ])('[T9] %s and back grants no unit twice', async (_, stepMs) => {
    const ids = await reserveTimes(5);
    for (const id of ids) await spend(id);
    clock.advance(stepMs);
    await reserve();
    await runJob();
    clock.set(WEDNESDAY_NOON);
    expect((await used())[0]).toBe(5);
    await expect(reserve()).rejects.toMatchObject({ code: 'SYNC_DAILY_LIMIT_REACHED' });
  });

  test('[T9] a unit that lapsed while the clock was ahead cannot be spent once the clock is back', async () => {
    const ids = await reserveTimes(5);
    clock.advance(DAY_MS);
    await runJob();
    clock.set(WEDNESDAY_NOON);
    await reserveTimes(5);
    for (const id of ids) expect(await spend(id)).toBe(false);
    expect(await used()).toEqual([5, 5]);
    await expect(reserve()).rejects.toMatchObject({ code: 'SYNC_DAILY_LIMIT_REACHED' });
  });
});

describe('stored counters', () => {
  test('[D5] of old windows are deleted, and those of the current week are not', async () => {
    await spend(await reserve());
    clock.advance(2 * 366 * DAY_MS);
    await spend(await reserve());
    await runJob();
    const rows = await server.service.database.read
      .selectFrom('quotaUsage')
      .select(['window', 'startsAt', 'used'])
      .where('userId', '=', person.user.userId)
      .orderBy('window')
      .execute();
    const now = clock.now();
    expect(rows).toMatchObject([
      { window: 'daily', used: 1 },
      { window: 'weekly', used: 1 },
    ]);
    expect(rows.every(({ startsAt }) => now - startsAt < 7 * DAY_MS)).toBe(true);
  });
});
