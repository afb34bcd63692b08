/** Applies `--fail-on` to a finished scan. */
import type { Finding, Severity } from '@svc/contract';
import type { SeverityCounts } from '@svc/report';
import type { Invocation } from '../command.ts';
import type { Decided } from '../decisions/decide.ts';
import { reaching, stoppedBy, type Gate } from '../report/gate.ts';
import type { LocalReport } from '../store/local-report.ts';
import { safeLine } from '../terminal/safe-text.ts';

export interface Judged {
  /** Undefined when no decisions were looked up, or they cannot be read. */
  readonly decided: Decided<Finding> | undefined;
  /** Counts of open results that did not fit into the report. */
  readonly leftOut: SeverityCounts;
}

/** Undefined without `--fail-on`, and when the decisions that count cannot be read. */
export function gateOf(
  { options }: Pick<Invocation, 'options'>,
  report: LocalReport,
  { decided, leftOut }: Judged,
): Gate | undefined {
  if (options['failOn'] === undefined || decided === undefined) return undefined;
  const severity = options['failOn'] as Severity;
  return {
    severity,
    noun: 'outstanding finding',
    stopped: stoppedBy(decided.findings, severity),
    leftOut: reaching(leftOut, severity),
    hint: `Fix the listed findings, or set accepted ones aside ${whereToDecide(report, decided.source)}`,
  };
}

function whereToDecide(
  { state, sync: { reportUrl = '' } }: LocalReport,
  source: Decided<Finding>['source'],
): string {
  const page = safeLine(reportUrl);
  if (state !== 'synced') return 'with: svc finding status ID accepted_risk.';
  const place = source === 'service' ? 'on the page of the report, or with' : 'with';
  return `${place}: svc scan --no-sync, then svc finding status ID accepted_risk. Read the report at ${page}`;
}
