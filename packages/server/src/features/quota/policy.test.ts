import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultPlans } from './plans.ts';
import { quotaOf, windowsAt } from './policy.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
const moment = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2199-12-31T23:59:59Z'),
  noInvalidDate: true,
});

const iso = (ms: number) => new Date(ms).toISOString();

describe('windows', () => {
  // 2026-01-05 and 2026-01-12 are Mondays.
  test.each([
    [
      'just before a day turns',
      '2026-01-07T05:59:59.999Z',
      '2026-01-06T06:00:00.000Z',
      '2026-01-05T06:00:00.000Z',
    ],
    ['as a day turns', '2026-01-07T06:00:00.000Z', '2026-01-07T06:00:00.000Z', '2026-01-05T06:00:00.000Z'],
    ['at midnight', '2026-01-07T00:00:00.000Z', '2026-01-06T06:00:00.000Z', '2026-01-05T06:00:00.000Z'],
    ['on Sunday night', '2026-01-11T23:59:59.999Z', '2026-01-11T06:00:00.000Z', '2026-01-05T06:00:00.000Z'],
    [
      'on Monday before six',
      '2026-01-12T05:59:59.999Z',
      '2026-01-11T06:00:00.000Z',
      '2026-01-05T06:00:00.000Z',
    ],
    ['on Monday at six', '2026-01-12T06:00:00.000Z', '2026-01-12T06:00:00.000Z', '2026-01-12T06:00:00.000Z'],
    ['on a leap day', '2028-02-29T12:00:00.000Z', '2028-02-29T06:00:00.000Z', '2028-02-28T06:00:00.000Z'],
    [
      'at the turn of a year',
      '2026-01-01T00:00:00.000Z',
      '2025-12-31T06:00:00.000Z',
      '2025-12-29T06:00:00.000Z',
    ],
    [
      'when Europe turns its clocks',
      '2026-03-29T05:30:00.000Z',
      '2026-03-28T06:00:00.000Z',
      '2026-03-23T06:00:00.000Z',
    ],
    [
      'in the first week of 1970',
      '1970-01-05T05:59:59.999Z',
      '1970-01-04T06:00:00.000Z',
      '1969-12-29T06:00:00.000Z',
    ],
  ])('[T9] %s', (_, now, day, week) => {
    const { daily, weekly } = windowsAt(Date.parse(now));
    expect([iso(daily.startsAt), iso(weekly.startsAt)]).toEqual([day, week]);
    expect(daily.endsAt - daily.startsAt).toBe(DAY_MS);
    expect(weekly.endsAt - weekly.startsAt).toBe(WEEK_MS);
  });

  test('[T9] every moment lies in its windows, which begin at 06:00 UTC, the week on a Monday', () => {
    fc.assert(
      fc.property(moment, (date) => {
        const now = date.getTime();
        for (const { startsAt, endsAt } of Object.values(windowsAt(now))) {
          expect(startsAt <= now && now < endsAt).toBe(true);
          expect(iso(startsAt).slice(10)).toBe('T06:00:00.000Z');
        }
        expect(new Date(windowsAt(now).weekly.startsAt).getUTCDay()).toBe(1);
      }),
    );
  });

  test('[T9] windows follow each other without gap or overlap, and whole days make a week', () => {
    fc.assert(
      fc.property(moment, (date) => {
        const { daily, weekly } = windowsAt(date.getTime());
        expect(windowsAt(daily.endsAt).daily.startsAt).toBe(daily.endsAt);
        expect(windowsAt(daily.startsAt - 1).daily.endsAt).toBe(daily.startsAt);
        expect(windowsAt(weekly.endsAt).weekly.startsAt).toBe(weekly.endsAt);
        expect(windowsAt(weekly.startsAt - 1).weekly.endsAt).toBe(weekly.startsAt);
        expect(weekly.startsAt <= daily.startsAt && daily.endsAt <= weekly.endsAt).toBe(true);
      }),
    );
  });
});

describe('the quota object', () => {
  const now = Date.parse('2026-01-07T12:00:00Z');
  const counts = fc.record({ daily: fc.nat(20), weekly: fc.nat(20) });
  const limits = fc.record({
    daily: fc.nat(20),
    weekly: fc.nat(20),
    retentionDays: fc.integer({ min: 1, max: 400 }),
    activeShares: fc.nat(10),
  });

  test('[D5] it is blocked by the day first, then by the week, and else eligible', () => {
    fc.assert(
      fc.property(limits, counts, (plan, used) => {
        const quota = quotaOf('pro', plan, used, now);
        const reached = { daily: used.daily >= plan.daily, weekly: used.weekly >= plan.weekly };
        expect(quota.blockedBy).toBe(reached.daily ? 'daily' : reached.weekly ? 'weekly' : undefined);
        expect('blockedBy' in quota).toBe(reached.daily || reached.weekly);
        expect(quota.eligible).toBe(!reached.daily && !reached.weekly);
        expect(quota).toMatchObject({
          plan: 'pro',
          retentionDays: plan.retentionDays,
          daily: { used: used.daily, limit: plan.daily, resetsAt: '2026-01-08T06:00:00.000Z' },
          weekly: { used: used.weekly, limit: plan.weekly, resetsAt: '2026-01-12T06:00:00.000Z' },
        });
      }),
    );
  });

  test('[D5] the plans are the published ones', () => {
    const table = Object.entries(defaultPlans).map(
      ([plan, { daily, weekly, retentionDays, activeShares }]) => [
        plan,
        daily,
        weekly,
        retentionDays,
        activeShares,
      ],
    );
    expect(table).toEqual([
      ['free', 5, 15, 21, 5],
      ['pro', 50, 200, 90, 25],
      ['team', 200, 1000, 180, 100],
      ['enterprise', 2000, 10_000, 365, 1000],
    ]);
  });
});
