/** Applies `--fail-on` to a finished scan. */
import type { Severity } from '@svc/contract';
import type { CanonicalReport, SeverityCounts } from '@svc/report';
import type { Invocation } from '../command.ts';
import { reaching, stoppedBy, type Gate } from '../report/gate.ts';
import type { LocalReport } from '../store/local-report.ts';
import { safeLine } from '../terminal/safe-text.ts';

export interface Judged {
  readonly findings: CanonicalReport['findings'];
  /** Counts of open results that did not fit into the report. */
  readonly leftOut: SeverityCounts;
}

/** Undefined when it was not given. */
export function gateOf(
  { options }: Pick<Invocation, 'options'>,
  { state, sync: { reportUrl = '' } }: LocalReport,
  { findings, leftOut }: Judged,
): Gate | undefined {
  if (options['failOn'] === undefined) return undefined;
  const severity = options['failOn'] as Severity;
  // Triage decisions on the page never come back to this machine, so they do not affect its gate.
  const read = state === 'synced' ? ` Read it at ${safeLine(reportUrl)}.` : '';
  const first = state === 'synced' ? 'svc scan --no-sync, then ' : '';
  return {
    severity,
    noun: 'outstanding finding',
    stopped: stoppedBy(findings, severity),
    leftOut: reaching(leftOut, severity),
    hint: `Fix what is listed, or set aside what is accepted with: ${first}svc finding status ID accepted_risk.${read}`,
  };
}
