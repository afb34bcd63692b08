/** What `--fail-on` makes of a finished scan. */
import type { Severity } from '@svc/contract';
import type { CanonicalReport } from '@svc/report';
import type { Invocation } from '../command.ts';
import { stoppedBy, type Gate } from '../report/gate.ts';
import type { LocalReport } from '../store/local-report.ts';
import { safeLine } from '../terminal/safe-text.ts';

/** Undefined when it was not given. */
export function gateOf(
  { options }: Pick<Invocation, 'options'>,
  { state, sync: { reportUrl = '' } }: LocalReport,
  { findings }: CanonicalReport,
): Gate | undefined {
  if (options['failOn'] === undefined) return undefined;
  const severity = options['failOn'] as Severity;
  // What is decided on the page never comes back to this machine, so that is no way past its gate.
  const read = state === 'synced' ? ` Read it at ${safeLine(reportUrl)}.` : '';
  const first = state === 'synced' ? 'svc scan --no-sync, then ' : '';
  return {
    severity,
    noun: 'outstanding finding',
    stopped: stoppedBy(findings, severity),
    hint: `Fix what is listed, or set aside what is accepted with: ${first}svc finding status ID accepted_risk.${read}`,
  };
}
