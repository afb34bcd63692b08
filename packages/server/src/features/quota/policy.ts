/** When quota windows begin and end: days at 06:00 UTC, weeks on Mondays at 06:00 UTC. */
import type { Plan, Quota, QuotaWindow } from '@svc/contract';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
const DAY_STARTS_MS = 6 * HOUR_MS;
/** 1970-01-05 was the first Monday. */
const WEEK_STARTS_MS = 4 * DAY_MS + DAY_STARTS_MS;

export type WindowName = 'daily' | 'weekly';

export interface Window {
  readonly startsAt: number;
  readonly endsAt: number;
}

export function windowsAt(now: number): Record<WindowName, Window> {
  return { daily: windowAt(now, DAY_STARTS_MS, DAY_MS), weekly: windowAt(now, WEEK_STARTS_MS, WEEK_MS) };
}

function windowAt(now: number, first: number, lengthMs: number): Window {
  const startsAt = now - modulo(now - first, lengthMs);
  return { startsAt, endsAt: startsAt + lengthMs };
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** What a plan allows. */
export interface PlanLimits {
  /** Reports a day. */
  readonly daily: number;
  /** Reports a week. */
  readonly weekly: number;
  readonly retentionDays: number;
  /** Live links a report. */
  readonly activeShares: number;
}

/** The quota object of the API. The daily limit is named first when both are reached. */
export function quotaOf(
  plan: Plan,
  limits: PlanLimits,
  used: Record<WindowName, number>,
  now: number,
): Quota {
  const windows = windowsAt(now);
  const view = (name: WindowName, limit: number): QuotaWindow => ({
    used: used[name],
    limit,
    resetsAt: new Date(windows[name].endsAt).toISOString(),
  });
  const daily = view('daily', limits.daily);
  const weekly = view('weekly', limits.weekly);
  const blockedBy = daily.used >= daily.limit ? 'daily' : weekly.used >= weekly.limit ? 'weekly' : undefined;
  return {
    eligible: blockedBy === undefined,
    daily,
    weekly,
    retentionDays: limits.retentionDays,
    plan,
    ...(blockedBy ? { blockedBy } : {}),
  };
}
