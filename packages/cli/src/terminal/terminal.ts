/**
 * The output of a command. Results go to standard output, everything else to standard error, so that output can be piped.
 * Colours, bars and prompts appear only on a terminal. With `--json` standard output contains one JSON value, or one per
 * line, and nothing else. Nothing printed can steer the terminal, whatever its source (safe-text.ts).
 */
import type { Colours } from './colours.ts';

export interface Terminal {
  /** `--json` was given. */
  readonly isJson: boolean;
  /** Prompts are possible: a person is at both ends, and neither `--json` nor `CI` is set. */
  readonly isInteractive: boolean;
  /** The colours of standard output. */
  readonly colours: Colours;
  /** The width of standard output; undefined when it is not a terminal. */
  readonly columns: number | undefined;
  /** The colours of standard error. */
  readonly noteColours: Colours;
  /** The command's result; called once. People read `lines`, and `--json` prints `value`. */
  result(value: unknown, lines: () => readonly string[]): void;
  /**
   * The command's result when it is a file. It is written unchanged, except to a terminal: there, sequences that would
   * steer it are removed.
   */
  document(content: string): void;
  /** One of several results, printed as soon as it is known. With `--json`, each is one line of JSON. */
  part(value: unknown, lines: () => readonly string[]): void;
  /** A message for people; omitted with `--json` or `--quiet`. */
  note(line: string): void;
  /** Printed with `--json` too, on standard error. */
  warn(line: string): void;
  /**
   * Needed before the command can continue, so printed even with `--quiet`: `lines` for people, `value` as one line of
   * JSON on standard error with `--json`.
   */
  announce(value: unknown, lines: () => readonly string[]): void;
  /** A bar if a total is known, else a spinner. Where it cannot be drawn, a line at its start and its end. */
  progress(label: string, total?: number): Progress;
  /** Throws a CliError when prompting is impossible; Ctrl+C throws the reason `interrupted`. */
  ask: Questions;
}

export interface Progress {
  /** Sets how much is done, and what runs now. */
  update(done: number, label?: string): void;
  /** Ends the progress with a line. */
  succeed(line: string): void;
  fail(line: string): void;
}

export interface Questions {
  confirm(question: string, initial: boolean): Promise<boolean>;
  text(
    question: string,
    options?: { initial?: string; validate?: (value: string) => string | undefined },
  ): Promise<string>;
  select<Value extends string>(
    question: string,
    choices: readonly { value: Value; label: string; hint?: string }[],
  ): Promise<Value>;
}
