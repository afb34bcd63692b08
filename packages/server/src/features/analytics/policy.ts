/** Rules of product analytics that need no database: what of an event is counted, and under what. */
import {
  limits,
  type AnalyticsCount,
  type AnalyticsEvent,
  type AnalyticsName,
  type AnalyticsSurface,
  type ExportFormat,
} from '@svc/contract';

/** Empty text stands for what was not said. */
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

/** `2026-01-31`, in UTC; days sort as texts do. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The first of so many days of which the last is that of the time. */
export function firstDayOf(time: number, days: number): string {
  return dayOf(time - (days - 1) * DAY_MS);
}

/** A release by its numbers; empty for all else, since a version is free text and could say who sent it. */
export function releaseOf(clientVersion: string | undefined): string {
  return /^(?:0|[1-9][0-9]{0,3})(?:\.(?:0|[1-9][0-9]{0,3})){2}$/.test(clientVersion ?? '')
    ? (clientVersion ?? '')
    : '';
}

/** The releases that are counted by themselves on a day: those that were, and new ones up to the bound. */
export function releasesCounted(known: ReadonlySet<string>, given: readonly string[]): ReadonlySet<string> {
  const counted = new Set(known);
  for (const release of given) if (counted.size < bounds.versionsPerDayMax) counted.add(release);
  return counted;
}

/** How many events there are of each kind, in an order in which all that count lock rows. */
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

/** As it is told: what was not said is not there. */
export function toldOf({ day, name, surface, format, clientVersion, count }: DayCount): AnalyticsCount {
  return {
    day,
    name,
    ...(surface === '' ? {} : { surface }),
    ...(format === '' ? {} : { format }),
    ...(clientVersion === '' ? {} : { clientVersion }),
    count,
  };
}
