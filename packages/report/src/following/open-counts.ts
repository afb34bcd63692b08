/** Counts the open findings of a report. */
import type { SeverityCounts } from '@svc/contract';
import { isOutstanding } from '../model/status.ts';
import type { FindingSnapshot } from './finding-snapshots.ts';

export function openCounts(
  snapshots: readonly Pick<FindingSnapshot, 'severity' | 'status'>[],
): SeverityCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity, status } of snapshots) if (isOutstanding(status)) counts[severity] += 1;
  return counts;
}
