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
  // Weeks begin on Monday: 2026-01-05 and 2026-01-12 are Mondays.
  test.each([
    ['just before a day begins', '2026-01-07T05:59:59.999Z', '2026-01-06', '2026-01-05'],
    ['as a day begins', '2026-01-07T06:00:00.000Z', '2026-01-07', '2026-01-05'],
    ['at midnight', '2026-01-07T00:00:00.000Z', '2026-01-06', '2026-01-05'],
    ['on Sunday night', '2026-01-11T23:59:59.999Z', '2026-01-11', '2026-01-05'],
    ['on Monday before six', '2026-01-12T05:59:59.999Z', '2026-01-11', '2026-01-05'],
    ['on Monday at six', '2026-01-12T06:00:00.000Z', '2026-01-12', '2026-01-12'],
    ['on a leap day', '2028-02-29T12:00:00.000Z', '2028-02-29', '2028-02-28'],
    ['at the turn of a year', '2026-01-01T00:00:00.000Z', '2025-12-31', '2025-12-29'],
    ['when Europe changes its clocks', '2026-03-29T05:30:00.000Z', '2026-03-28', '2026-03-23'],
    ['in the first week of 1970', '1970-01-05T05:59:59.999Z', '1970-01-04', '1969-12-29'],
  ])('[T9] are right %s', (_, now, day, week) => {
    const { daily, weekly } = windowsAt(Date.parse(now));
    const began = [iso(daily.startsAt), iso(weekly.startsAt)];
    expect(began).toEqual([`${day}T06:00:00.000Z`, `${week}T06:00:00.000Z`]);
    expect(daily.endsAt - daily.startsAt).toBe(DAY_MS);
    expect(weekly.endsAt - weekly.startsAt).toBe(WEEK_MS);
  });

  test('[T9] every time lies in its windows, which begin at 06:00 UTC, the week on a Monday', () => {
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

  test('[D5] is blocked by the daily limit first, then by the weekly one, and is otherwise eligible', () => {
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
    expect(defaultPlans).toEqual({
      free: { daily: 5, weekly: 15, retentionDays: 21, activeShares: 5 },
      pro: { daily: 50, weekly: 200, retentionDays: 90, activeShares: 25 },
      team: { daily: 200, weekly: 1000, retentionDays: 180, activeShares: 100 },
      enterprise: { daily: 2000, weekly: 10_000, retentionDays: 365, activeShares: 1000 },
    });
  });
});
