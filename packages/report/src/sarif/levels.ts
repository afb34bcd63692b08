/**
 * The words for severity in a log. SARIF defines four; tools also write them in capitals, or use words of their own
 * scale. A word that may mean more than `warning` is never read as less.
 */
import type { Severity } from '@svc/contract';

const words: Readonly<Record<Severity, string>> = {
  critical: 'critical fatal blocker emergency',
  high: 'error high severe serious important major',
  medium: 'warning warn medium moderate',
  low: 'note low',
  info: 'none info',
};

const severityByName: ReadonlyMap<string, Severity> = new Map(
  Object.entries(words).flatMap(([severity, list]) =>
    list.split(' ').map((word) => [word, severity as Severity] as const),
  ),
);

export function folded(word: string): string {
  return word.trim().toLowerCase();
}

/** Undefined for an unknown word. */
export function severityOfLevel(level: string): Severity | undefined {
  return severityByName.get(folded(level));
}

/** Whether a notification of this level says that something failed. */
export function isErrorLevel(level: string): boolean {
  const severity = severityOfLevel(level);
  return severity === 'critical' || severity === 'high';
}
