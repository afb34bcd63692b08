/** Counts the open findings of a report. Equal findings count once, at the worst severity. */
import { severities, type Severity, type SeverityCounts } from '@svc/contract';
import { isOutstanding } from '../model/status.ts';
import { identityKey, type FindingSnapshot } from './finding-snapshots.ts';

type Counted = Pick<FindingSnapshot, 'identity' | 'severity' | 'status'>;

export function openCounts(snapshots: readonly Counted[]): SeverityCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const equals of Map.groupBy(snapshots, ({ identity }) => identityKey(identity)).values()) {
    const severity = openSeverity(equals);
    if (severity !== null) counts[severity] += 1;
  }
  return counts;
}

/** The severity at which equal findings count as open; null when none of them is. */
export function openSeverity(equals: readonly Omit<Counted, 'identity'>[]): Severity | null {
  if (!equals.some(({ status }) => isOutstanding(status))) return null;
  return severities.find((severity) => equals.some((each) => each.severity === severity)) ?? null;
}
