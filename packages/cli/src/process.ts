/** What a command line is run with, in a process or in a test. */
import type { Environment } from './environment.ts';
import type { Output } from './terminal/output.ts';

export interface Process {
  /** What was typed after the program's name. */
  readonly words: readonly string[];
  readonly environment: Environment;
  /** The folder that it was called in. */
  readonly folder: string;
  readonly input: { readonly isTTY?: boolean };
  readonly output: Output;
  readonly notes: Output;
  /** Aborted when the person wants it to stop. */
  readonly signal: AbortSignal;
}
