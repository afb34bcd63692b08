/** Groups the daily counts of the service by event. */
import { DAY_MS } from '@svc/contract/durations';
import type { AnalyticsCount, AnalyticsName } from '@svc/contract';
import { analyticsNames } from '@svc/contract/enums';

export interface UsageRow {
  readonly name: AnalyticsName;
  readonly total: number;
  /** One count per day, newest last. */
  readonly perDay: readonly number[];
}

export interface Usage {
  /** The days in UTC, such as `2026-01-31`. */
  readonly days: readonly string[];
  readonly rows: readonly UsageRow[];
}

type Counted = Pick<AnalyticsCount, 'day' | 'name' | 'count'>;

/** @param now by this machine's clock; if the service is a day ahead, its newest day is the last one. */
export function usageOf(counts: readonly Counted[], now: Date, length: number): Usage {
  const newest = counts.reduce((latest, { day }) => (day > latest ? day : latest), dayOf(now.getTime()));
  const end = Date.parse(newest);
  const days = Array.from({ length }, (_, at) => dayOf(end - (length - 1 - at) * DAY_MS));
  const byName = Map.groupBy(counts, ({ name }) => name);
  const rows = analyticsNames.map((name) => {
    const perDay = new Map<string, number>(days.map((day) => [day, 0]));
    for (const { day, count } of byName.get(name) ?? [])
      if (perDay.has(day)) perDay.set(day, (perDay.get(day) ?? 0) + count);
    const values = [...perDay.values()];
    return { name, total: values.reduce((sum, count) => sum + count, 0), perDay: values };
  });
  return { days, rows };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
