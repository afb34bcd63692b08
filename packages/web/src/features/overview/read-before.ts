/** Whether an account has read a report in this browser: the last onboarding step, which the service does not store. */
import { browserStore } from '../../lib/browser-storage.ts';

const keyOf = (userId: string) => `svc-read-a-report-${userId}` as const;

/** Without storage, onboarding ends with the second report. */
export function wasRead(userId: string): boolean {
  return browserStore.get(keyOf(userId)) !== null;
}

export function rememberRead(userId: string): void {
  browserStore.set(keyOf(userId), '1');
}
