/**
 * The one sentence at the head of a report. It depends on the projection alone, and never implies that more was found
 * than the projection shows.
 */
import type { ReportProjection, Severity } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { subjectsOf } from './coverage.ts';

/** Undefined if the projection has neither a summary nor findings. */
export function verdictOf(projection: ReportProjection): string | undefined {
  const counts = countsOf(projection);
  if (!counts) return undefined;
  if (counts.total === 0) return nothingFound(projection);
  const named = severities.flatMap((severity) => {
    const count = counts.bySeverity[severity];
    return count === 0 ? [] : [`${number(count)} ${severity === 'info' ? 'informational' : severity}`];
  });
  const last = named.pop() ?? '';
  const list = named.length === 0 ? last : `${named.join(', ')} and ${last}`;
  return `${list} ${counts.total === 1 ? 'finding' : 'findings'}, ${verifiedPart(counts)}.`;
}

export interface Counts {
  readonly total: number;
  readonly verified: number;
  readonly bySeverity: Readonly<Record<Severity, number>>;
}

/** Undefined if the projection has neither a summary nor findings. */
export function countsOf({
  summary,
  findings,
}: Partial<Pick<ReportProjection, 'summary' | 'findings'>>): Counts | undefined {
  if (summary) {
    const { findingCount: total, verificationCounts, severityCounts: bySeverity } = summary;
    return { total, verified: verificationCounts.verified, bySeverity };
  }
  if (!findings) return undefined;
  const bySeverity = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity } of findings) bySeverity[severity] += 1;
  const { length: verified } = findings.filter(({ verification }) => verification === 'verified');
  return { total: findings.length, verified, bySeverity };
}

function verifiedPart({ total, verified }: Counts): string {
  if (total === 1) return verified === 1 ? 'verified' : 'not verified';
  if (verified === 0) return 'none of them verified';
  return `${verified === total ? 'all' : number(verified)} of them verified`;
}

/** A view under a policy that hides something may lack findings, so its verdict is only about the view. */
function nothingFound({ redactionNotice, coverageAreas = [] }: ReportProjection): string {
  if (redactionNotice !== undefined) return 'This view has no findings.';
  if (coverageAreas.length === 0) return 'No findings.';
  const subjects = subjectsOf(coverageAreas);
  const { length: covered } = subjects.filter(({ status }) => status === 'covered');
  return `No findings in ${number(covered)} of ${number(subjects.length)} areas.`;
}

function number(count: number): string {
  return count.toLocaleString('en');
}
