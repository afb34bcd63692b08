/** Runs a command of the program in this process, without streams and signals. */
import type { Around } from '../src/commands/frame/run-command.ts';
import { runCommand as run } from '../src/commands/frame/run-command.ts';

export interface CommandOutcome {
  readonly exitCode: number;
  readonly lines: readonly string[];
}

/** Runs a command and returns the lines that people see. */
export async function runCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  around: Partial<Around> = {},
): Promise<CommandOutcome> {
  const { exitCode, lines } = await run(words, { ...quiet, ...around, environment });
  return { exitCode, lines };
}

/** Runs a command and returns what `--json` would print. */
export async function valueOfCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  around: Partial<Around> = {},
): Promise<Readonly<Record<string, unknown>>> {
  return (await run(words, { ...quiet, ...around, environment })).value;
}

const quiet = {
  signal: new AbortController().signal,
  report: () => undefined,
  confirm: () => Promise.reject(new Error('the command asks nothing')),
};
