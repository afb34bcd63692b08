/**
 * Commands as data. Help, completion and the program itself are derived from these descriptions. A command's code is
 * loaded only when it runs, so that `--help` costs next to nothing.
 */
import type { RecordUsage } from './analytics/usage-event.ts';
import type { Clock } from './clock.ts';
import type { RetryBudget } from './connection/retry-budget.ts';
import type { Process } from './process.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface Command {
  /** The name as it is typed after `svc`, such as `finding add`. */
  readonly name: string;
  /**
   * Other names that people try first, such as `auth login`. They are accepted and completed, but the list of all
   * commands omits them.
   */
  readonly aliases?: readonly string[];
  /** One line, without a full stop at its end. */
  readonly summary: string;
  /** More text, for the command's own help. */
  readonly description?: string;
  readonly arguments?: readonly ArgumentDescription[];
  readonly options?: readonly OptionDescription[];
  /** At least one. */
  readonly examples: readonly Example[];
  /** Only our own programs call it, so it is not suggested. */
  readonly isHidden?: true;
  /**
   * Set for commands that agents or shells call repeatedly. Such a command sends no usage events, so that it ends
   * sooner.
   */
  readonly isQuick?: true;
  readonly load: () => Promise<{ readonly run: Run }>;
}

export interface ArgumentDescription {
  /** `<id>` if required, `[path]` if optional, `[files...]` for any number. */
  readonly form: string;
  readonly summary: string;
  /** The allowed values. */
  readonly choices?: readonly string[];
  /** What completion offers when there are no choices; nothing when absent. */
  readonly completes?: Completes;
}

export interface OptionDescription {
  /** `--fail-on <severity>`, `--sarif <files...>`, `-y, --yes`, `--no-sync`. */
  readonly form: string;
  readonly summary: string;
  /** The allowed values. */
  readonly choices?: readonly string[];
  /** What completion offers when there are no choices; nothing when absent. */
  readonly completes?: Completes;
  /**
   * For an option with several values, which may also be given as one word with commas. In `files`, a word that names
   * an existing file is one file, even with commas in its name.
   */
  readonly list?: 'words' | 'files';
}

/** Kinds of values that completion looks up. */
export type Completes = 'files' | 'reports' | 'reports or files' | 'findings' | 'scanners';

export interface Example {
  readonly command: string;
  readonly does: string;
}

/** What was typed: arguments in order, and options by their camel-case names. */
export interface Invocation {
  readonly arguments: readonly (string | readonly string[] | undefined)[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The current folder of the command. */
  readonly folder: string;
  /** Standard input. */
  readonly input: Process['input'];
  readonly clock: Clock;
  /** The retry budget for the whole command. */
  readonly retries: RetryBudget;
  readonly program: Process['program'];
  /** Aborted at the first Ctrl+C, SIGTERM or SIGHUP; the second ends the process. */
  readonly signal: AbortSignal;
  /** Records a usage event. It never fails and costs next to nothing. */
  readonly happened: RecordUsage;
}

/** Runs one command. Expected failures are thrown as `CliError` (errors.ts). */
export type Run = (invocation: Invocation, terminal: Terminal) => Promise<void>;
