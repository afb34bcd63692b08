/**
 * One command line from beginning to end: parse, run, report a failure, and return the exit code. Nothing here ends the
 * process; main.ts does.
 */
import { CliError, exitCodes } from './errors.ts';
import { globalOptionsIn } from './global-options.ts';
import { runProgram } from './program.ts';
import type { Process } from './process.ts';
import { createTerminal, type OwnTerminal } from './terminal/create-terminal.ts';
import { firstUnwritten } from './unwritten.ts';

/** @returns the exit code. Never throws. */
export async function run(process: Process): Promise<number> {
  // Parsed before everything else, so that a mistake in the line is reported in the requested way.
  const terminal = createTerminal(globalOptionsIn(process.words), process);
  const code = await runProgram(process, terminal).then(
    () => exitCodes.done,
    (error: unknown) => failed(error, process, terminal),
  );
  const unwritten = await firstUnwritten(process);
  if (unwritten === null) return code;
  // Printed where it can still be read: not to the stream that has just failed.
  await show(unwritten, terminal, { ...process, output: process.notes });
  return code === exitCodes.done ? exitCodes.failed : code;
}

async function failed(error: unknown, process: Process, terminal: OwnTerminal): Promise<number> {
  const known =
    !(error instanceof CliError) && process.signal.aborted
      ? new CliError('interrupted', 'Interrupted.', { cause: error })
      : error;
  await show(known, terminal, process);
  return known instanceof CliError ? exitCodes[known.reason] : exitCodes.failed;
}

/** Loaded on a failure only, so that help starts without it. */
async function show(
  error: unknown,
  terminal: OwnTerminal,
  where: Pick<Process, 'output' | 'notes' | 'environment'>,
): Promise<void> {
  const { showFailure } = await import('./failure.ts');
  showFailure(error, terminal, where);
}
