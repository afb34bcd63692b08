/** What a command line is run with, in a process or in a test. */
import type { Readable } from 'node:stream';
import type { Clock } from './clock.ts';
import type { Environment } from './environment.ts';
import type { Output } from './terminal/output.ts';

export interface Process {
  /** What was typed after the program's name. */
  readonly words: readonly string[];
  readonly environment: Environment;
  /** The folder that it was called in. */
  readonly folder: string;
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Output;
  readonly notes: Output;
  /** Aborted when the person wants it to stop. */
  readonly signal: AbortSignal;
  /** The system's, unless another is given. */
  readonly clock?: Clock;
  /** The URL of a module of the program, where it is not the one that runs. */
  readonly program?: string;
}
