/**
 * Which findings are open, set aside or fixed. It depends on the projection alone: through a share, only the findings of
 * that share count.
 */
import type { ProjectedFinding, ReportProjection } from '@svc/contract';
import { isSetAside } from '@svc/contract/status-moves';
import { openVerdictOf } from './open-counts.ts';
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

/**
 * All findings in a sentence, for below the verdict on the open ones: `2 high findings, all of them verified; 1 set aside.`
 * Undefined if the verdict already says this.
 */
export function standingTextOf(projection: ReportProjection): string | undefined {
  const text = verdictOf(projection);
  if (text === undefined || text === openVerdictOf(projection)) return undefined;
  const { setAside, fixed } = standingOf(projection.findings ?? []);
  const others = [
    ...(setAside.length === 0 ? [] : [`${setAside.length.toLocaleString('en')} set aside`]),
    ...(fixed.length === 0 ? [] : [`${fixed.length.toLocaleString('en')} fixed`]),
  ];
  return others.length === 0 ? text : `${text.slice(0, -1)}; ${others.join(', ')}.`;
}
