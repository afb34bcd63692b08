/** Whether an account has read a report in this browser: the last onboarding step, which the service does not store. */

const nameOf = (userId: string) => `svc-read-a-report-${userId}`;

/** Without storage, onboarding ends with the second report. */
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
    // Only a hint is lost.
  }
}
