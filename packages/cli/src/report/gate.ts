/**
 * The gates: findings that end a command with an exit code of its own, so that a pipeline stops at them. Only what
 * somebody still has to do something about counts, and a gate speaks after the command's result is out and stored.
 */
import { severities, type Severity } from '@svc/contract';
import { isOutstanding } from '@svc/report';
import { CliError } from '../errors.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { placeOf, worstFirst, type ShownFinding } from './finding-lines.ts';

const FINDINGS_SHOWN = 20;

/** Of this severity or worse; the worst first. */
export function stoppedBy<Given extends Pick<ShownFinding, 'severity' | 'status'>>(
  findings: readonly Given[],
  severity: Severity,
): Given[] {
  const least = severities.indexOf(severity);
  return worstFirst(findings.filter((finding) => isOutstanding(finding))).filter(
    (finding) => severities.indexOf(finding.severity) <= least,
  );
}

export interface Gate {
  readonly severity: Severity;
  /** `finding`, `new finding`. */
  readonly noun: string;
  readonly stopped: readonly ShownFinding[];
  readonly hint: string;
}

/** For the result with `--json`. */
export function gateJson({ severity, stopped }: Pick<Gate, 'severity' | 'stopped'>) {
  return {
    severity,
    passed: stopped.length === 0,
    count: stopped.length,
    findingIds: stopped.flatMap(({ id }) => id ?? []),
  };
}

export function gateFailure({ severity, noun, stopped, hint }: Gate): CliError | undefined {
  if (stopped.length === 0) return undefined;
  const counted = severities.flatMap((each) => {
    const count = stopped.filter((finding) => finding.severity === each).length;
    return count === 0 ? [] : [`${count} ${each}`];
  });
  const more = stopped.length - FINDINGS_SHOWN;
  const whole = stopped.length === 1 ? `1 ${noun} is` : `${stopped.length} ${noun}s are`;
  const message = `${whole} of severity ${severity}${severity === 'critical' ? '' : ' or worse'}: ${counted.join(', ')}.`;
  return new CliError('gateFailed', message, {
    details: [...stopped.slice(0, FINDINGS_SHOWN).map(lineOf), ...(more > 0 ? [`and ${more} more`] : [])],
    hint,
  });
}

function lineOf({ id, severity, title, affected }: ShownFinding): string {
  return [...(id === null ? [] : [id]), severity, safeLine(title), safeLine(placeOf({ affected }))].join(
    '  ',
  );
}
