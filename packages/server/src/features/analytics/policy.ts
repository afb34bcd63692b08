/** Rules of product analytics that need no database: what is counted of an event, and under which key. */
import {
  limits,
  type AnalyticsCount,
  type AnalyticsEvent,
  type AnalyticsName,
  type AnalyticsSurface,
  type ExportFormat,
} from '@svc/contract';

/** An empty string means that the value is absent. */
export interface DayCount {
  readonly day: string;
  readonly name: AnalyticsName;
  readonly surface: AnalyticsSurface | '';
  readonly format: ExportFormat | '';
  readonly clientVersion: string;
  readonly count: number;
}

const DAY_MS = 86_400_000;
const { analytics: bounds } = limits;

/** The UTC day in the form `2026-01-31`, so that days sort as strings. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The first day of a span of `days` that ends on the day of `time`. */
export function firstDayOf(time: number, days: number): string {
  return dayOf(time - (days - 1) * DAY_MS);
}

/** A release by its version number. Empty for any other text, because free text could identify the sender. */
export function releaseOf(clientVersion: string | undefined): string {
  return /^(?:0|[1-9][0-9]{0,3})(?:\.(?:0|[1-9][0-9]{0,3})){2}$/.test(clientVersion ?? '')
    ? (clientVersion ?? '')
    : '';
}

/** The releases that are counted by name on a day: known ones, and new ones up to the limit. */
export function releasesCounted(known: ReadonlySet<string>, given: readonly string[]): ReadonlySet<string> {
  const counted = new Set(known);
  for (const release of given) if (counted.size < bounds.versionsPerDayMax) counted.add(release);
  return counted;
}

/** The number of events of each kind, sorted so that all callers lock rows in the same order. */
export function countsOf(
  events: readonly AnalyticsEvent[],
  day: string,
  releases: ReadonlySet<string>,
): DayCount[] {
  const counts = new Map<string, DayCount>();
  for (const event of events) {
    const release = releaseOf(event.clientVersion);
    const key: Omit<DayCount, 'count'> = {
      day,
      name: event.name,
      surface: event.surface ?? '',
      format: event.format ?? '',
      clientVersion: releases.has(release) ? release : '',
    };
    const place = Object.values(key).join(' ');
    counts.set(place, { ...key, count: (counts.get(place)?.count ?? 0) + 1 });
  }
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/** The count as the API returns it: absent values are left out. */
export function countAnswer({ day, name, surface, format, clientVersion, count }: DayCount): AnalyticsCount {
  return {
    day,
    name,
    ...(surface === '' ? {} : { surface }),
    ...(format === '' ? {} : { format }),
    ...(clientVersion === '' ? {} : { clientVersion }),
    count,
  };
}
