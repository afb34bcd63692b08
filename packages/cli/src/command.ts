/**
 * Commands as data. Help, completion and the program itself are made from these descriptions; what a command does is
 * loaded only when it is run, so that `--help` costs next to nothing.
 */
import type { Happened } from './analytics/happened.ts';
import type { Clock } from './clock.ts';
import type { Process } from './process.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface Command {
  /** As it is typed after `svc`, such as `finding add`. */
  readonly name: string;
  /** One line, without a full stop at its end. */
  readonly summary: string;
  /** More, for its own help. */
  readonly description?: string;
  readonly arguments?: readonly ArgumentDescription[];
  readonly options?: readonly OptionDescription[];
  /** At least one. */
  readonly examples: readonly Example[];
  /** An agent waits for it again and again: it ends as soon as it has done its work. */
  readonly isQuick?: true;
  readonly load: () => Promise<{ readonly run: Run }>;
}

export interface ArgumentDescription {
  /** `<id>` when it must be given, `[path]` when it need not, `[files...]` for any number. */
  readonly form: string;
  readonly summary: string;
  /** All that it can be. */
  readonly choices?: readonly string[];
}

export interface OptionDescription {
  /** `--fail-on <severity>`, `--sarif <files...>`, `-y, --yes`, `--no-sync`. */
  readonly form: string;
  readonly summary: string;
  /** All that it can be. */
  readonly choices?: readonly string[];
}

export interface Example {
  readonly command: string;
  readonly does: string;
}

/** What was typed: arguments in their order, and options by their camel-case names. */
export interface Invocation {
  readonly arguments: readonly (string | readonly string[] | undefined)[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that the command was called in. */
  readonly folder: string;
  /** Standard input. */
  readonly input: Process['input'];
  readonly clock: Clock;
  readonly program: Process['program'];
  /** Aborted at the first Ctrl+C, SIGTERM or SIGHUP; the second ends the process. */
  readonly signal: AbortSignal;
  /** Tells of something that is counted; costs and fails nothing. */
  readonly happened: Happened;
}

/** Runs one command. What stands in its way is thrown as a `CliError` (errors.ts). */
export type Run = (invocation: Invocation, terminal: Terminal) => Promise<void>;
