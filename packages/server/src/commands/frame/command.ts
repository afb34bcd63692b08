/** What a command of the program is: a description for help and the parser, and code that is loaded when it runs. */
import type { Environment } from '../../config.ts';
import type { Report } from './progress.ts';

/** 0 when everything is in order, 1 when faults were found or something was left undone, 2 when the command failed. */
export type ExitCode = 0 | 1 | 2;

export interface CommandResult {
  readonly exitCode: ExitCode;
  /** The lines that are printed without `--json`. */
  readonly lines: readonly string[];
  /** The result for `--json`, without the name of the command and its exit code. */
  readonly value: Readonly<Record<string, unknown>>;
}

export interface Invocation {
  /** The arguments in their order; undefined for an optional one that is missing. */
  readonly arguments: readonly (string | undefined)[];
  /** The options by their name in camelCase: true for a flag, else the value; undefined if it was not given. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly environment: Environment;
  /** Aborted by SIGINT, SIGTERM or SIGHUP. The command then stops early and cleans up. */
  readonly signal: AbortSignal;
  readonly report: Report;
  /**
   * Asks a question at the terminal.
   * @throws StartError when there is no terminal.
   */
  readonly confirm: (question: string) => Promise<boolean>;
}

export type Run = (invocation: Invocation) => Promise<CommandResult>;

export interface Described {
  /** As the help shows it: `<folder>`, `[folder]`, `--file <copy of svc.db>`. */
  readonly form: string;
  readonly summary: string;
}

export interface Command {
  /** One or two words. */
  readonly name: string;
  /** Without a full stop. */
  readonly summary: string;
  readonly description: string;
  readonly arguments?: readonly Described[];
  readonly options?: readonly Described[];
  readonly examples: readonly string[];
  /** What each exit code means. */
  readonly exitCodes: Readonly<Record<ExitCode, string>>;
  /** Begins the line about an unexpected error. */
  readonly failure: string;
  /** Whether the lines go to standard output whatever the exit code, because they are the command's purpose. */
  readonly printsFindings?: boolean;
  readonly load: () => Promise<{ readonly run: Run }>;
}
