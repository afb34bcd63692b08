/** What a fault is to the runner: something done to the service, with what was looked at after it and what was wrong. */
import type { Program } from '@svc/testkit';

export interface FaultOptions {
  readonly program: Program;
  readonly seed: number;
  /** How often the service is killed, over all phases; other faults take it for how thorough to be. */
  readonly cycles: number;
  /** A run for a merge rather than for a night: samples, and shorter outages. */
  readonly short: boolean;
}

export interface FaultOutcome {
  /** In words, for people: what was done and what was looked at. */
  readonly checked: string;
  /** Promises that were broken; none is a pass. */
  readonly problems: readonly string[];
  /** Whatever helps to understand it, with units in the names. */
  readonly details: Readonly<Record<string, number>>;
}

/** Why it can not be done on this machine. Where everything is there to be installed (`CI` is set) that is a failure. */
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
