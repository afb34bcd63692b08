/** What a command line gets from its process, or from a test. */
import type { Readable } from 'node:stream';
import type { Clock } from './clock.ts';
import type { Environment } from './environment.ts';
import type { Output } from './terminal/output.ts';

export interface Process {
  /** What was typed after the program's name. */
  readonly words: readonly string[];
  readonly environment: Environment;
  /** The current folder. */
  readonly folder: string;
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Output;
  readonly notes: Output;
  /** Aborted when the person wants the command to stop. */
  readonly signal: AbortSignal;
  /** Defaults to the system's clock. */
  readonly clock?: Clock;
  /** The URL of a module of the program; defaults to a module of the running program. */
  readonly program?: string;
}
