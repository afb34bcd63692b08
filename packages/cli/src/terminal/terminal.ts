/**
 * How a command speaks. Results go to standard output, everything else to standard error, so that output can be piped;
 * colours, bars and questions appear on a terminal alone. With `--json` standard output holds one JSON value, or one on each
 * line, and nothing else. Nothing printed can steer the terminal, whoever wrote it (safe-text.ts).
 */
import type { Colours } from './colours.ts';

export interface Terminal {
  /** `--json` was given. */
  readonly isJson: boolean;
  /** Questions can be asked: a person is at both ends, and neither `--json` nor `CI` is set. */
  readonly isInteractive: boolean;
  /** Of standard output. */
  readonly colours: Colours;
  /** How wide standard output is; undefined where it is no terminal. */
  readonly columns: number | undefined;
  /** Of standard error. */
  readonly noteColours: Colours;
  /** The command's result; called once. `lines` is what people read, `value` what `--json` prints. */
  result(value: unknown, lines: () => readonly string[]): void;
  /** The command's result when it is a file: as it is, but for what would steer a terminal that it is shown at. */
  document(content: string): void;
  /** One of several results, given as they come and instead of `result`: with `--json` one line of JSON each. */
  part(value: unknown, lines: () => readonly string[]): void;
  /** Said to people on the way; left out with `--json` and `--quiet`. */
  note(line: string): void;
  /** Said with `--json` too, on standard error. */
  warn(line: string): void;
  /**
   * What has to be known before the command can go on, said even with `--quiet`: `lines` to people, `value` as one line
   * of JSON on standard error with `--json`.
   */
  tell(value: unknown, lines: () => readonly string[]): void;
  /** A bar where a total is known, a spinner where not; lines of text where standard error is no terminal. */
  progress(label: string, total?: number): Progress;
  /** Throws a CliError where nobody can answer; Ctrl+C throws the reason `interrupted`. */
  ask: Questions;
}

export interface Progress {
  /** Sets how much is done, and what is being done. */
  update(done: number, label?: string): void;
  /** Ends it with a line. */
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
