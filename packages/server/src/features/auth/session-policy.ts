/** When a session ends, and when it needs the password again. */

export interface SessionTimes {
  readonly createdAt: number;
  /** Rounded down to the hour, so it can be before `createdAt`. */
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}

/** When a session ends: after its lifetime or after it was unused for too long, whichever comes first. */
export function sessionEndsAt({ createdAt, lastSeenAt, expiresAt }: SessionTimes, idleMs: number): number {
  return Math.min(expiresAt, Math.max(createdAt, lastSeenAt) + idleMs);
}

/** @param confirmAfterMs null when the password is never needed again. */
export function isConfirmed(
  { createdAt, confirmedAt }: { readonly createdAt: number; readonly confirmedAt: number | null },
  confirmAfterMs: number | null,
  now: number,
): boolean {
  return confirmAfterMs === null || now - (confirmedAt ?? createdAt) <= confirmAfterMs;
}
