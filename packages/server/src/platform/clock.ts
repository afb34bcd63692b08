/** Time as a port, so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. May step back when the machine's clock is corrected. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The format of times in responses: `2026-01-02T03:04:05.678Z`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The precision with which the last use of sessions and devices is stored: the hour, not the minute. */
export function toTheHour(ms: number): number {
  return ms - (ms % HOUR_MS);
}
