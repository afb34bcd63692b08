/** A fault as the runner sees it: an action on the service, the checks after it, and the violations. */
import type { Program } from '@svc/testkit';

export interface FaultOptions {
  readonly program: Program;
  readonly seed: number;
  /** How often the fault `kill` kills the service, over all phases. The other faults do not use it. */
  readonly cycles: number;
  /** A short run, for merges: only a sample of the cases, and shorter outages. */
  readonly short: boolean;
}

export interface FaultOutcome {
  /** A summary for people: what was done and checked. */
  readonly checked: string;
  /** Violations. The fault has passed if there are none. */
  readonly problems: readonly string[];
  /** Figures that help to understand the result, with units in the names. */
  readonly details: Readonly<Record<string, number>>;
}

/** Why the fault is not possible on this machine. With `CI` set, that is a failure. */
export interface FaultSkipped {
  readonly skipped: string;
}

export interface Fault {
  readonly name: string;
  run(options: FaultOptions): Promise<FaultOutcome | FaultSkipped>;
}

export type FaultResult = { readonly name: string; readonly seconds: number } & (FaultOutcome | FaultSkipped);

export function passes(result: FaultResult): boolean {
  return 'skipped' in result ? !process.env['CI'] : result.problems.length === 0;
}
