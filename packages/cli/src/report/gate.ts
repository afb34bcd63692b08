/**
 * The gates: findings that make a command end with a special exit code, so that a pipeline stops. Only outstanding findings
 * count, and a gate applies after the command's result is printed and stored.
 */
import { severities, type Severity } from '@svc/contract';
import { isOutstanding, noneLeftOut, statusOf, totalOf, type SeverityCounts } from '@svc/report';
import { CliError } from '../errors.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { locationOf, worstFirst, type ShownFinding } from './finding-lines.ts';

const FINDINGS_SHOWN = 20;

/** The outstanding findings of this severity or worse, the most severe first. */
export function stoppedBy<Given extends Pick<ShownFinding, 'severity' | 'status'>>(
  findings: readonly Given[],
  severity: Severity,
): Given[] {
  const least = severities.indexOf(severity);
  return worstFirst(findings.filter((finding) => isOutstanding(statusOf(finding)))).filter(
    (finding) => severities.indexOf(finding.severity) <= least,
  );
}

/** The counts of this severity or worse. */
export function reaching(counts: SeverityCounts, severity: Severity): SeverityCounts {
  const least = severities.indexOf(severity);
  const reached = severities.filter((_, index) => index <= least);
  return { ...noneLeftOut, ...Object.fromEntries(reached.map((each) => [each, counts[each]])) };
}

export interface Gate {
  readonly severity: Severity;
  /** Such as `new finding`. */
  readonly noun: string;
  readonly stopped: readonly ShownFinding[];
  /** Counts of results that did not fit into the report, by severity; only those of this severity or worse. */
  readonly leftOut?: SeverityCounts;
  readonly hint: string;
}

/** The gate in the result with `--json`. */
export function gateJson({ severity, stopped, leftOut }: Pick<Gate, 'severity' | 'stopped' | 'leftOut'>) {
  const count = stopped.length + totalOf(leftOut ?? noneLeftOut);
  return {
    severity,
    passed: count === 0,
    count,
    findingIds: stopped.flatMap(({ id }) => id ?? []),
  };
}

export function gateFailure(gate: Gate): CliError | undefined {
  const { severity, noun, stopped, leftOut = noneLeftOut, hint } = gate;
  const { count: total } = gateJson(gate);
  if (total === 0) return undefined;
  const counted = severities.flatMap((each) => {
    const count = stopped.filter((finding) => finding.severity === each).length + leftOut[each];
    return count === 0 ? [] : [`${count} ${each}`];
  });
  const more = stopped.length - FINDINGS_SHOWN;
  const unshown = totalOf(leftOut);
  const whole = total === 1 ? `1 ${noun} is` : `${total} ${noun}s are`;
  const message = `${whole} of severity ${severity}${severity === 'critical' ? '' : ' or worse'}: ${counted.join(', ')}.`;
  return new CliError('gateFailed', message, {
    details: [
      ...stopped.slice(0, FINDINGS_SHOWN).map(lineOf),
      ...(more > 0 ? [`and ${more} more`] : []),
      ...(unshown > 0 ? [`and ${unshown} that did not fit into the report`] : []),
    ],
    hint,
  });
}

function lineOf({ id, severity, title, affected }: ShownFinding): string {
  return [...(id === null ? [] : [id]), severity, safeLine(title), safeLine(locationOf({ affected }))].join(
    '  ',
  );
}
