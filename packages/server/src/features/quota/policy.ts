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
  const at = (first: number, lengthMs: number) => {
    // The remainder is negative before the first window.
    const startsAt = now - ((((now - first) % lengthMs) + lengthMs) % lengthMs);
    return { startsAt, endsAt: startsAt + lengthMs };
  };
  return { daily: at(DAY_STARTS_MS, DAY_MS), weekly: at(WEEK_STARTS_MS, WEEK_MS) };
}

/** What a plan allows. */
export interface PlanLimits {
  /** The maximum number of reports a day. */
  readonly daily: number;
  /** The maximum number of reports a week. */
  readonly weekly: number;
  readonly retentionDays: number;
  /** The maximum number of active shares of one report. */
  readonly activeShares: number;
}

/** The quota object of the API. When both limits are reached, `blockedBy` names the daily limit. */
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
