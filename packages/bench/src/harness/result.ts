/** What a suite hands back: one row for each thing that it measured. */
export interface Result {
  /** Of the target in the table of targets; null for what is only looked at. */
  readonly target: string | null;
  readonly name: string;
  /** The median over the rounds. */
  readonly measured: number;
  readonly unit: Unit;
  /** What `measured` is held against; null for what is only looked at. */
  readonly bound: { readonly sense: 'at least' | 'at most'; readonly value: number } | null;
  /** In words: what stands beside it in the same run. */
  readonly floor: string;
  /** `measured` of each round. */
  readonly rounds: readonly number[];
  /** Whatever helps to understand it, with units in the names. */
  readonly details: Readonly<Record<string, number>>;
}

export type Unit = '×' | 'ms' | 'MB' | 'KB' | 'events' | '|t|' | 'ns/byte';

export interface SuiteOptions {
  /** A few short rounds that show that it works; its figures mean little. */
  readonly smoke: boolean;
  /** Where the service leaves a profile of its processor time, which slows it down. */
  readonly profileFolder?: string | undefined;
  /** Another checkout to compare with, for the suites that can. */
  readonly against?: string | undefined;
}

export interface Suite {
  readonly name: string;
  run(options: SuiteOptions): Promise<Result[]>;
}

/** Null for what is only looked at. */
export function passes({ measured, bound }: Result): boolean | null {
  if (!bound) return null;
  return bound.sense === 'at least' ? measured >= bound.value : measured <= bound.value;
}
