/**
 * The verdict about the findings that are still open. Like every verdict, it depends on the projection alone: through a
 * share, only the findings of that share count.
 */
import type { ProjectedFinding, ReportProjection } from '@svc/contract';
import { isSetAside } from '@svc/contract/status-moves';
import { verdictOf } from './verdict.ts';

export interface Standing {
  readonly open: readonly ProjectedFinding[];
  readonly setAside: readonly ProjectedFinding[];
  readonly fixed: readonly ProjectedFinding[];
}

/** A finding without a status is open. */
export function standingOf(findings: readonly ProjectedFinding[]): Standing {
  const open: ProjectedFinding[] = [];
  const setAside: ProjectedFinding[] = [];
  const fixed: ProjectedFinding[] = [];
  for (const finding of findings) {
    const { status = 'open' } = finding;
    if (isSetAside(status)) setAside.push(finding);
    else (status === 'fixed_verified' ? fixed : open).push(finding);
  }
  return { open, setAside, fixed };
}

/** Undefined if the projection has neither a summary nor findings. */
export function openVerdictOf(projection: ReportProjection): string | undefined {
  const { findings = [] } = projection;
  const { open, setAside, fixed } = standingOf(findings);
  if (open.length === findings.length) return verdictOf(projection);
  const others = [
    ...(setAside.length === 0 ? [] : [`${setAside.length.toLocaleString('en')} set aside`]),
    ...(fixed.length === 0 ? [] : [`${fixed.length.toLocaleString('en')} fixed`]),
  ].join(', ');
  if (open.length === 0) return `No open findings: ${others}.`;
  const { summary: _, ...rest } = projection;
  const verdict = verdictOf({ ...rest, findings: [...open] }) ?? '';
  return `Open: ${verdict.slice(0, -1)}. Also ${others}.`;
}
