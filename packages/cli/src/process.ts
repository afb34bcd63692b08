/** What a command line is run with, in a process or in a test. */
import type { Environment } from './environment.ts';
import type { TerminalOptions } from './terminal/create-terminal.ts';

export interface Process extends Pick<TerminalOptions, 'input' | 'output' | 'notes' | 'signal'> {
  /** What was typed after the program's name. */
  readonly words: readonly string[];
  readonly environment: Environment;
  /** The folder that it was called in. */
  readonly folder: string;
}
