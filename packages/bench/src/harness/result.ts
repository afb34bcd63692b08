/** The result of a suite: one row per measurement. */
export interface Result {
  /** The id of the target; null without a target. */
  readonly target: string | null;
  readonly name: string;
  /** In most suites, the median over the rounds. */
  readonly measured: number;
  readonly unit: Unit;
  /** The target of `measured`; null without a target. */
  readonly bound: { readonly sense: 'at least' | 'at most'; readonly value: number } | null;
  /** A description of the comparison in the same run. */
  readonly floor: string;
  /** `measured` of each round. */
  readonly rounds: readonly number[];
  /** Figures that help to understand the result, with units in the names. */
  readonly details: Readonly<Record<string, number>>;
}

export type Unit = '×' | 'ms' | 'MB' | 'events' | '|t|' | 'ns/byte';

export interface SuiteOptions {
  /** Runs a few short rounds, which only show that the suite works; the figures mean little. */
  readonly smoke: boolean;
  /** Where the service writes a profile of its processor time, which slows it down. */
  readonly profileFolder?: string | undefined;
  /** Whether the service stores in PostgreSQL and a bucket, and counts in Redis; for suites that support it. */
  readonly isDistributed?: boolean | undefined;
  /** Another checkout to compare with, for suites that support it. */
  readonly against?: string | undefined;
}

export interface Suite {
  readonly name: string;
  /** Whether it can measure a service in distributed mode. Its targets are for embedded mode. */
  readonly supportsDistributed?: boolean;
  run(options: SuiteOptions): Promise<Result[]>;
}

/** Null for a figure without a target. */
export function passes({ measured, bound }: Result): boolean | null {
  if (!bound) return null;
  return bound.sense === 'at least' ? measured >= bound.value : measured <= bound.value;
}
