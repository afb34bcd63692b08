/** When a session ends, and when its password has to be given again. */

export interface SessionTimes {
  readonly createdAt: number;
  /** To the hour, so it may lie before `createdAt`. */
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}

/** The end of its lifetime, or of the time for which it may stay unused. */
export function sessionEndsAt({ createdAt, lastSeenAt, expiresAt }: SessionTimes, idleMs: number): number {
  return Math.min(expiresAt, Math.max(createdAt, lastSeenAt) + idleMs);
}

/** @param confirmAfterMs null when nobody is asked. */
export function isConfirmed(
  { createdAt, confirmedAt }: { readonly createdAt: number; readonly confirmedAt: number | null },
  confirmAfterMs: number | null,
  now: number,
): boolean {
  return confirmAfterMs === null || now - (confirmedAt ?? createdAt) <= confirmAfterMs;
}
