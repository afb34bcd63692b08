/** Formats counts, lists, times and durations as text. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@svc/contract/durations';

/** Creates a formatter only when it is first used, because creating one is slow. */
function formatted(options: Intl.DateTimeFormatOptions): (time: Date) => string {
  let made: Intl.DateTimeFormat | undefined;
  return (time) => (made ??= new Intl.DateTimeFormat('en-GB', options)).format(time);
}

const long = formatted({ day: 'numeric', month: 'long', year: 'numeric' });
const short = formatted({ day: 'numeric', month: 'short', year: 'numeric' });
const clock = formatted({ hour: '2-digit', minute: '2-digit' });
const exact = formatted({
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
const clockWithSeconds = formatted({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
const clockWithZone = formatted({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });

/** `1 finding`, `12 findings`, `1,204 findings`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return new Intl.ListFormat('en', { style: 'long', type: 'conjunction' })
    .format(parts)
    .replace(', and ', ' and ');
}

const steps = [
  ['minute', MINUTE_MS],
  ['hour', HOUR_MS],
  ['day', DAY_MS],
  ['week', 7 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['year', 365 * DAY_MS],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/**
 * `5 minutes ago`, `in 21 days`, `just now`. Future times use days, never weeks or months, as plans and share links
 * do.
 */
export function relativeTime(time: Date, now: Date): string {
  const awayMs = time.getTime() - now.getTime();
  if (Math.abs(awayMs) < MINUTE_MS) return 'just now';
  const known = awayMs < 0 ? steps : steps.filter(([unit]) => unit !== 'week' && unit !== 'month');
  const [unit, unitMs] = known.findLast(([, each]) => Math.abs(awayMs) >= each) ?? steps[0];
  const count = awayMs / unitMs;
  return relative.format(awayMs < 0 ? Math.trunc(count) : Math.round(count), unit);
}

/** `3 June 2026, 14:00 CEST`, in the reader's own time zone, which it names. */
export function exactTime(time: Date): string {
  return exact(time).replace(' at ', ', ');
}

/** `14:00:05`, in the reader's own time zone, which the page must name. */
export function clockTime(time: Date): string {
  return clockWithSeconds(time);
}

/** `14:00 CEST`. */
export function clockTimeWithZone(time: Date): string {
  return clockWithZone(time);
}

/** `CEST`: the reader's own time zone at the time. */
export function zoneAt(time: Date): string {
  return clockTimeWithZone(time).slice('00:00 '.length);
}

/** `3 h 12 min`, `45 s`. */
export function durationText(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The later of two ISO timestamps. Last-seen times are rounded to the hour, so they can precede the creation time. */
export function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

/** `3 June 2026`, in the reader's own time zone. */
export function day(time: Date): string {
  return long(time);
}

/** `3 Jun 2026`, in the reader's own time zone. */
export function shortDay(time: Date): string {
  return short(time);
}

/** `14:00` for a time of today, otherwise `3 Jun 2026`; in the reader's own time zone. */
export function clockOrDay(time: Date, now: Date): string {
  return short(time) === short(now) ? clock(time) : short(time);
}
