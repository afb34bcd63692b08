#!/usr/bin/env node
/**
 * The CLI as a process: streams, signals and the exit code.
 *
 * Node creates its streams, signal events and most of its modules when they are first used. So this file uses and imports
 * none of them before they are needed: `svc --help` starts about as fast as Node does.
 */
import { createOutput } from './terminal/process-output.ts';
import { run } from './run.ts';

let interruption: AbortController | undefined;

const output = createOutput(1, () => process.stdout);
const notes = createOutput(2, () => process.stderr);

void run({
  words: process.argv.slice(2),
  environment: process.env,
  folder: process.cwd(),
  get input() {
    return process.stdin;
  },
  output,
  notes,
  get signal() {
    interruption ??= interruptible();
    return interruption.signal;
  },
}).then(end);

/** The first Ctrl+C, SIGTERM or end of the terminal asks the command to stop, and the second ends the process. */
function interruptible(): AbortController {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(130);
      controller.abort();
    });
  }
  return controller;
}

/** Ends the process explicitly, because a connection kept for the next call would delay the end for seconds. */
async function end(code: number): Promise<void> {
  await Promise.allSettled([output.flushed(), notes.flushed()]);
  process.exit(code);
}
