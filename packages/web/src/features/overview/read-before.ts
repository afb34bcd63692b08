/** Whether an account ever read a report in this browser: the last step of a first run, which the service does not know of. */

const nameOf = (userId: string) => `svc-read-a-report-${userId}`;

/** Without storage the first run is over with the second report. */
export function wasRead(userId: string): boolean {
  try {
    return localStorage.getItem(nameOf(userId)) !== null;
  } catch {
    return false;
  }
}

export function rememberRead(userId: string): void {
  try {
    localStorage.setItem(nameOf(userId), '1');
  } catch {
    // Nothing but a hint is lost.
  }
}
