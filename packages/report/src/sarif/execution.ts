/**
 * Whether an invocation of a tool ended well, according to the log. `exitCode` and `exitSignalName` alone prove
 * little: tools with findings exit with codes other than 0, and some write their own words for a signal. A value of the
 * wrong type counts as what it seems to mean; if that is unclear, it counts against the invocation.
 */
import type { LogRun } from './document.ts';
import { fields, listed, text, type Fields } from './parts.ts';
import { folded } from './levels.ts';

/** The invocations of the tool, and of the program that converted the tool's output. */
export function invocationsOf(run: Fields): Fields[] {
  const { invocation } = fields(run['conversion']);
  return [...listed(run['invocations']), ...listed(invocation)].map(fields);
}

/** Names of signals, with or without their prefix. SpotBugs writes `BUGS FOUND` here. */
const SIGNAL =
  /^(?:SIG[A-Z][A-Z0-9]+|ABRT|ALRM|BUS|FPE|HUP|ILL|INT|KILL|PIPE|QUIT|SEGV|SYS|TERM|TRAP|USR[12]|XCPU|XFSZ)$/i;
/** Matches descriptions of crashes, but none of a scan that only found something. */
const CRASHED =
  /\b(?:fatal|crash(?:ed)?|abort(?:ed)?|abnormal(?:ly)?|killed|internal error|out of memory|timed? ?out)\b/i;
const FAILED = /\b(?:fail(?:ed|ure)?|error|exception)\b/i;

export function isUnsuccessful(invocation: Fields, run: LogRun, tool: string): boolean {
  const { executionSuccessful, exitCode } = invocation;
  if (text(invocation['processStartFailureMessage']) !== undefined) return true;
  if (isNonZero(invocation['exitSignalNumber'])) return true;
  if (SIGNAL.test((text(invocation['exitSignalName']) ?? '').trim())) return true;
  const isSuccess = successOf(executionSuccessful);
  if (isSuccess === false) return !isOnlyFindings(invocation, run, tool);
  if (executionSuccessful === null && isNonZero(exitCode)) return true;
  const description = isNonZero(exitCode) ? (text(invocation['exitCodeDescription']) ?? '') : '';
  return CRASHED.test(description) || (isSuccess !== true && FAILED.test(description));
}

/** Undefined where the log does not say it. */
function successOf(stated: unknown): boolean | undefined {
  if (stated === undefined || stated === null) return undefined;
  return stated === true || (typeof stated === 'string' && folded(stated) === 'true');
}

/** Accepts a number that is written as text, too. */
function isNonZero(value: unknown): boolean {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && number !== 0;
}

/** True if the tool calls a scan unsuccessful only because it has findings. */
function isOnlyFindings(invocation: Fields, run: LogRun, tool: string): boolean {
  const hasFound = (run.results?.length ?? 0) > 0;
  switch (tool.toLowerCase()) {
    // Bits: 1 bugs found, 2 classes missing, 4 errors.
    case 'spotbugs':
      return hasFound && invocation['exitCode'] === 1;
    case 'kube-linter':
      return hasFound && invocation['exitCode'] === undefined;
    default:
      return false;
  }
}
