/** Time as a port, so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. May step back when the machine's clock is corrected. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The form in which times leave the service: `2026-01-02T03:04:05.678Z`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

const HOUR_MS = 3_600_000;

/** What sessions and devices keep of their last use: the hour, not the minute. */
export function toTheHour(ms: number): number {
  return ms - (ms % HOUR_MS);
}
