/** How many findings of a projection are open, and the sentence about them at the head of a report. */
import type { FindingStatus, ReportProjection, Severity, SeverityCounts } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { isSetAside } from '@svc/contract/status-moves';
import { verdictOf } from './verdict.ts';

export const openStatuses: readonly FindingStatus[] = ['open', 'fix_suggested', 'fix_applied'];

/** Like `isOutstanding` of the model, without loading the model's schemas. */
export function isOpen(status: FindingStatus): boolean {
  return !isSetAside(status) && status !== 'fixed_verified';
}

/** Null if the projection hides statuses. */
export function openCountsOf(
  findings: readonly { readonly severity: Severity; readonly status?: FindingStatus | undefined }[],
): SeverityCounts | null {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity, status } of findings) {
    if (status === undefined) return null;
    if (isOpen(status)) counts[severity] += 1;
  }
  return counts;
}

/** If open findings have one of these severities, the verdict names no other severity. */
const urgent: ReadonlySet<Severity> = new Set(['critical', 'high']);

/**
 * `2 critical, 3 high open`: the head of a report on its page and in its exports. It never implies that more was found than
 * the projection shows. Undefined if the projection has neither a summary nor findings.
 * @param open null if the projection hides findings or their statuses.
 */
export function openVerdictOf(
  projection: ReportProjection,
  open: SeverityCounts | null = projection.findings ? openCountsOf(projection.findings) : null,
): string | undefined {
  const isEmpty = projection.findings?.length === 0 || projection.summary?.findingCount === 0;
  if (open === null || isEmpty) return verdictOf(projection);
  const present = severities.filter((severity) => open[severity] > 0);
  if (present.length === 0) return 'No open findings';
  const named = present.filter((severity) => urgent.has(severity));
  const parts = (named.length > 0 ? named : present).map(
    (severity) =>
      `${open[severity].toLocaleString('en')} ${severity === 'info' ? 'informational' : severity}`,
  );
  return `${parts.join(', ')} open`;
}
