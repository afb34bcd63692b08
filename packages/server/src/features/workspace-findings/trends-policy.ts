/** How the findings of projects changed from day to day, from the rows that projects keep of each day. */
import { severities, type Severity, type SeverityCounts, type TimeToFix, type TrendDay } from '@svc/contract';

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;
const TAIL = 0.9;

/** What a project keeps of a day; a day without a row ends like the day before. */
export interface ProjectDay extends SeverityCounts {
  readonly projectId: string;
  /** `2026-01-31`, in UTC. */
  readonly day: string;
  readonly opened: number;
  readonly fixed: number;
  readonly setAside: number;
}

/** A finding that was fixed. */
export interface Fix {
  readonly severity: Severity;
  readonly firstSeenAt: number;
  readonly fixedAt: number;
}

/** `2026-01-31` for a time on that day in UTC. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The days up to today, the oldest first. */
export function daysUpTo(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => dayOf(now - (count - 1 - at) * DAY_MS));
}

/**
 * The days of several projects together.
 * @param dates the oldest first; the last one is today
 * @param rows of each project: those of these days, and the last one before them
 * @param now what is open in each project now
 */
export function trendOf(
  dates: readonly string[],
  rows: readonly ProjectDay[],
  now: readonly SeverityCounts[],
): TrendDay[] {
  const days = dates.map((date) => ({ date, open: noneOpen(), opened: 0, fixed: 0, setAside: 0 }));
  for (const ofProject of Map.groupBy(rows, ({ projectId }) => projectId).values()) {
    const sorted = ofProject.toSorted((one, other) => (one.day < other.day ? -1 : 1));
    let next = 0;
    let last: ProjectDay | undefined;
    for (const day of days) {
      for (let row = sorted[next]; row !== undefined && row.day <= day.date; row = sorted[++next]) {
        last = row;
        if (row.day !== day.date) continue;
        day.opened += row.opened;
        day.fixed += row.fixed;
        day.setAside += row.setAside;
      }
      if (last !== undefined && day !== days.at(-1)) addTo(day.open, last);
    }
  }
  const today = days.at(-1);
  if (today) for (const open of now) addTo(today.open, open);
  return days;
}

/**
 * The open findings of one project at the end of each week, the last of which ends today.
 * @param dates a multiple of 7 days plus one day, the oldest first
 * @param now what is open now; undefined while the project has no view
 */
export function openByWeekOf(
  dates: readonly string[],
  rows: readonly ProjectDay[],
  now: SeverityCounts = noneOpen(),
): number[] {
  return trendOf(dates, rows, [now])
    .filter((_, at) => at % 7 === 0)
    .map(({ open }) => severities.reduce((sum, severity) => sum + open[severity], 0));
}

/** The time from when a finding was first seen to its fix, in seconds. */
export function timeToFixOf(fixes: readonly Fix[]): Record<Severity, TimeToFix> {
  return Object.fromEntries(
    severities.map((severity) => {
      const took = fixes
        .filter((fix) => fix.severity === severity)
        .map(({ firstSeenAt, fixedAt }) => Math.max(0, fixedAt - firstSeenAt) / SECOND_MS)
        .toSorted((one, other) => one - other);
      return [severity, { median: medianOf(took), p90: quantile(took, TAIL), n: took.length }];
    }),
  ) as Record<Severity, TimeToFix>;
}

/** The median; for an even number of values, the mean of the two middle ones. */
function medianOf(sorted: readonly number[]): number | null {
  const low = sorted[Math.ceil(sorted.length / 2) - 1];
  const high = sorted[Math.floor(sorted.length / 2)];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** The smallest value that at least this part of the values does not exceed; null without values. */
function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null;
}

function noneOpen(): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
}

function addTo(sum: SeverityCounts, counts: SeverityCounts): void {
  for (const severity of severities) sum[severity] += counts[severity];
}
