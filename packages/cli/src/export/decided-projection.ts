/** A report with the statuses that count, for an export. */
import type { ReportProjection } from '@svc/contract';
import type { Invocation } from '../command.ts';
import { decide, type Decided } from '../decisions/decide.ts';
import type { Judged } from '../decisions/decided-findings.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface DecidedProjection {
  readonly projection: ReportProjection;
  /** Undefined for a projection from a share link, about which no decision is known. */
  readonly decided?: Pick<Decided<Judged>, 'source' | 'applied'>;
}

export async function decidedProjection(
  projection: ReportProjection,
  local: LocalReport | undefined,
  invocation: Invocation,
  terminal: Terminal,
): Promise<DecidedProjection> {
  const { findings, projectedFor, redactionNotice } = projection;
  const isShared = projectedFor.principalType === 'email' || projectedFor.principalType === 'anonymous';
  if (findings === undefined || isShared || redactionNotice !== undefined) return { projection };
  const { findings: judged, ...decided } = await decide(invocation, terminal, {
    findings,
    moves: local?.moves ?? [],
    folder: local?.repositoryRoot ?? invocation.folder,
    local,
  });
  return { decided, projection: { ...projection, findings: [...judged] } };
}
