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
import { firstUnwritten } from './unwritten.ts';

/** @returns the exit code. Never throws. */
export async function run(process: Process): Promise<number> {
  // Looked for before the words are understood, so that a mistake among them is reported as was asked for.
  const terminal = createTerminal(globalOptionsIn(process.words), process);
  const code = await codeOf(process, terminal);
  const unwritten = await firstUnwritten(process);
  if (unwritten === null) return code;
  // Said where it may still be read: never in the place that has just refused what was to be said.
  showFailure(unwritten, terminal, { ...process, output: process.notes });
  return code === exitCodes.done ? exitCodes.failed : code;
}

async function codeOf(process: Process, terminal: OwnTerminal): Promise<number> {
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
