import type { Plan } from '@svc/contract';
import {
  bodyOf,
  codeOf,
  createFakeClock,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Wednesday, six hours into its window and two days into its week. */
const WEDNESDAY_NOON = Date.parse('2026-01-07T12:00:00Z');
const clock = createFakeClock(WEDNESDAY_NOON);
let server: TestServer;
let person: SessionActor;

beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.close());
beforeEach(async () => {
  clock.set(WEDNESDAY_NOON);
  person = await server.signUp();
});

const reserve = (plan: Plan = 'free', userId = person.user.userId) =>
  server.service.database.transaction((tx) => server.service.app.quota.reserve(tx, userId, plan));
const spend = (id: string) =>
  server.service.database.transaction((tx) => server.service.app.quota.spend(tx, id));
const release = (id: string) =>
  server.service.database.transaction((tx) => server.service.app.quota.release(tx, id));
const runJob = () => server.service.app.jobs.find(({ name }) => name === 'lapsed quota reservations')?.run();

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
  const { workspaceId } = bodyOf(await person.api.createWorkspace({ body: { name: plan } }));
  await server.service.database.read
    .updateTable('workspaces')
    .set({ plan })
    .where('id', '=', workspaceId)
    .execute();
  return workspaceId;
}

describe('asking', () => {
  test('[D5] without a workspace the free plan counts; a device gets the same answer', async () => {
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

  test.each([
    ['pro', 50, 200, 90],
    ['team', 200, 1000, 180],
    ['enterprise', 2000, 10_000, 365],
  ] as const)('[D5] a workspace on %s sets the limits', async (plan, daily, weekly, retentionDays) => {
    const workspaceId = await makeWorkspace(plan);
    expect(bodyOf(await person.api.getSyncQuota({ query: { workspaceId } }))).toMatchObject({
      plan,
      daily: { limit: daily },
      weekly: { limit: weekly },
      retentionDays,
    });
  });

  test('[T2] a workspace that is not held is not found', async () => {
    const workspaceId = await makeWorkspace('pro');
    const stranger = await server.signUp();
    for (const id of [workspaceId, `ws_${'0'.repeat(26)}`, '', 'malformed']) {
      expect(codeOf(await stranger.api.getSyncQuota({ query: { workspaceId: id } }))).toBe('NOT_FOUND');
    }
  });

  test('[D5] what is reserved and what is spent count alike', async () => {
    const [first = ''] = await reserveTimes(3);
    expect(await used()).toEqual([3, 3]);
    expect(await spend(first)).toBe(true);
    expect(await used()).toEqual([3, 3]);
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
  test('[T9] of 50 parallel reservations at a limit of five, five are made', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => reserve()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const outcome of outcomes) {
      const reason: unknown =
        outcome.status === 'rejected' ? outcome.reason : { code: 'SYNC_DAILY_LIMIT_REACHED' };
      expect(reason).toMatchObject({ code: 'SYNC_DAILY_LIMIT_REACHED' });
    }
    expect(await used()).toEqual([5, 5]);
  });

  test('[D5] the refusal holds the window that is used up, and the time to wait', async () => {
    await reserveTimes(5);
    await expect(reserve()).rejects.toMatchObject({
      code: 'SYNC_DAILY_LIMIT_REACHED',
      status: 429,
      details: { daily: { used: 5, limit: 5, resetsAt: '2026-01-08T06:00:00.000Z' } },
      retryAfterMs: 18 * HOUR_MS,
    });
    expect(await used()).toEqual([5, 5]);
  });

  test('[D5] fifteen in a week use it up, and the refused one is not counted in its day', async () => {
    // Spent as they are made: what is only reserved would lapse and come back.
    for (const day of ['05', '06', '07']) {
      clock.set(`2026-01-${day}T12:00:00Z`);
      for (const id of await reserveTimes(5)) await spend(id);
    }
    clock.set('2026-01-08T12:00:00Z');
    await expect(reserve()).rejects.toMatchObject({
      code: 'SYNC_WEEKLY_LIMIT_REACHED',
      details: { weekly: { used: 15, limit: 15, resetsAt: '2026-01-12T06:00:00.000Z' } },
      retryAfterMs: Date.parse('2026-01-12T06:00:00Z') - Date.parse('2026-01-08T12:00:00Z'),
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

  test('[T9] use is counted over all workspaces, whatever the plan of each', async () => {
    const pro = await makeWorkspace('pro');
    await reserveTimes(4, 'pro');
    await reserve('free');
    await expect(reserve('free')).rejects.toMatchObject({ code: 'SYNC_DAILY_LIMIT_REACHED' });
    await reserveTimes(2, 'pro');
    expect(await quota()).toMatchObject({ blockedBy: 'daily', daily: { used: 7, limit: 5 } });
    const asPro = bodyOf(await person.api.getSyncQuota({ query: { workspaceId: pro } }));
    expect(asPro).toMatchObject({ eligible: true, daily: { used: 7, limit: 50 } });
  });

  test('[T9] one person uses up nothing of another', async () => {
    await reserveTimes(5);
    const other = await server.signUp();
    await reserve('free', other.user.userId);
    expect(await quota(other)).toMatchObject({ daily: { used: 1 } });
  });

  test('[T9] a reservation whose transaction fails was never made', async () => {
    const { database, app } = server.service;
    const failing = database.transaction(async (tx) => {
      await app.quota.reserve(tx, person.user.userId, 'free');
      throw new Error('something later failed');
    });
    await expect(failing).rejects.toThrow('something later failed');
    expect(await used()).toEqual([0, 0]);
  });
});

describe('spending and releasing', () => {
  test('[D5] a reservation is spent once', async () => {
    const id = await reserve();
    expect(await spend(id)).toBe(true);
    expect(await spend(id)).toBe(false);
    expect(await used()).toEqual([1, 1]);
  });

  test('[T9] of 100 parallel spendings of one reservation one succeeds, and one unit is used', async () => {
    const id = await reserve();
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => spend(id)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await used()).toEqual([1, 1]);
  });

  test('[D5] a released unit comes back, once', async () => {
    const [first = ''] = await reserveTimes(2);
    await Promise.all([release(first), release(first), release(first)]);
    await release(first);
    expect(await used()).toEqual([1, 1]);
  });

  test('[D5] what was spent is not released', async () => {
    const id = await reserve();
    await spend(id);
    await release(id);
    expect(await used()).toEqual([1, 1]);
  });

  test('[D5] spending and releasing at once end in one of them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [before] = await used();
      const id = await reserve('enterprise');
      const [wasSpent] = await Promise.all([spend(id), release(id)]);
      expect((await used())[0]).toBe(wasSpent ? before + 1 : before);
    }
  });

  test('[D5] a unit released in a later window comes back in the one in which it was reserved', async () => {
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
  test('[D5] 24 hours after it was made a reservation lapses, and its unit comes back', async () => {
    await reserveTimes(5);
    clock.advance(DAY_MS - 1);
    expect(await used()).toEqual([0, 5]);
    clock.advance(1);
    expect(await used()).toEqual([0, 0]);
    clock.set(WEDNESDAY_NOON);
    expect(await used()).toEqual([0, 0]);
  });

  test('[D5] what has lapsed can not be spent, and comes back at once', async () => {
    const id = await reserve();
    clock.advance(DAY_MS);
    expect(await spend(id)).toBe(false);
    expect(await used()).toEqual([0, 0]);
    expect(await spend(id)).toBe(false);
  });

  test('[D5] just before, it can be spent, and stays in its own windows', async () => {
    const id = await reserve();
    clock.advance(DAY_MS - 1);
    expect(await spend(id)).toBe(true);
    clock.advance(1);
    expect(await used()).toEqual([0, 1]);
  });

  test('[D5] reserving makes room from what has lapsed, also where nobody asked and no job ran', async () => {
    const limitOfWeek = [];
    for (const day of ['05', '06', '07']) {
      clock.set(`2026-01-${day}T12:00:00Z`);
      for (const id of await reserveTimes(5)) {
        if (day !== '07') await spend(id);
        limitOfWeek.push(id);
      }
    }
    clock.set('2026-01-08T11:59:59.999Z');
    await expect(reserve()).rejects.toMatchObject({ code: 'SYNC_WEEKLY_LIMIT_REACHED' });
    clock.set('2026-01-08T12:00:00Z');
    await reserve();
    expect(await used()).toEqual([1, 11]);
    expect(limitOfWeek).toHaveLength(15);
  });

  test('[D5] the job takes back what has lapsed of everyone, and leaves the rest', async () => {
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

  test('[D5] a lapse that is settled by many at once gives each unit back once', async () => {
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
  ])('[T9] %s and back grants nothing twice', async (_, stepMs) => {
    const ids = await reserveTimes(5);
    for (const id of ids) await spend(id);
    clock.advance(stepMs);
    await reserve();
    await runJob();
    clock.set(WEDNESDAY_NOON);
    expect((await used())[0]).toBe(5);
    await expect(reserve()).rejects.toMatchObject({ code: 'SYNC_DAILY_LIMIT_REACHED' });
  });

  test('[T9] what lapsed while the clock was ahead can not be spent when it is back', async () => {
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

describe('what is kept', () => {
  test('[D5] counters of windows long past are removed, and those of the present week are not', async () => {
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
