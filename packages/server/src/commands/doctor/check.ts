/** What a check of `doctor` finds, and its time limit. */
import { StartError } from '#start-error';

export type Status = 'ok' | 'warning' | 'fault';

export interface Finding {
  readonly check: string;
  readonly status: Status;
  /** What was found and, unless it is ok, what to do. */
  readonly text: string;
}

/** What one check finds, without its name. */
export type CheckResult = Omit<Finding, 'check'>;

export const ok = (text: string): CheckResult => ({ status: 'ok', text });
export const warning = (text: string): CheckResult => ({ status: 'warning', text });
export const fault = (text: string): CheckResult => ({ status: 'fault', text });

const CHECK_MS_MAX = 15_000;

/** Runs a check. A failure or a check that takes too long is a fault. */
export async function examine(
  check: string,
  run: () => Promise<readonly CheckResult[]> | readonly CheckResult[],
  reasonOf: (error: unknown) => string,
): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly CheckResult[]>((resolve) => {
    timer = setTimeout(
      () => resolve([fault(`No result after ${CHECK_MS_MAX / 1000} seconds.`)]),
      CHECK_MS_MAX,
    );
  });
  const found = await Promise.race([Promise.resolve().then(run), late])
    .catch((error: unknown) =>
      error instanceof StartError
        ? error.lines.map((line) => fault(line))
        : [fault(`The check failed (${reasonOf(error)}). Fix the cause, and run doctor again.`)],
    )
    .finally(() => clearTimeout(timer));
  return found.map((each) => ({ check, ...each }));
}

const CLOCK_WARNING_MS = 2000;
const CLOCK_FAULT_MS = 60_000;

/** @param theirs the other clock, read between the two readings of ours. */
export function clockFound(before: number, theirs: number, after: number): CheckResult {
  const difference = theirs < before ? theirs - before : Math.max(0, theirs - after);
  const seconds = Math.round(Math.abs(difference) / 100) / 10;
  const text = `Its clock is ${seconds} s ${difference < 0 ? 'behind' : 'ahead of'} the clock of this machine. Synchronize both with NTP.`;
  if (Math.abs(difference) >= CLOCK_FAULT_MS) return fault(text);
  return Math.abs(difference) >= CLOCK_WARNING_MS
    ? warning(text)
    : ok('Its clock agrees with the clock of this machine.');
}
