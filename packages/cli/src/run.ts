/**
 * One command line from beginning to end: parse, run, say what went wrong, and the exit code. Nothing here ends the
 * process; main.ts does.
 */
import { CliError, exitCodes } from './errors.ts';
import { globalOptionsIn } from './global-options.ts';
import { showFailure } from './failure.ts';
import { runProgram } from './program.ts';
import type { Process } from './process.ts';
import { createTerminal, type OwnTerminal } from './terminal/create-terminal.ts';

/** @returns the exit code. Never throws. */
export async function run(process: Process): Promise<number> {
  // Looked for before the words are understood, so that a mistake among them is reported as was asked for.
  const terminal = createTerminal(globalOptionsIn(process.words), process);
  try {
    await runProgram(process, terminal);
    return exitCodes.done;
  } catch (error) {
    return failed(error, process, terminal);
  }
}

function failed(error: unknown, process: Process, terminal: OwnTerminal): number {
  const known =
    !(error instanceof CliError) && process.signal.aborted
      ? new CliError('interrupted', 'Interrupted.', { cause: error })
      : error;
  showFailure(known, terminal, process);
  return known instanceof CliError ? exitCodes[known.reason] : exitCodes.failed;
}
