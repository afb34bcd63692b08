#!/usr/bin/env node
/** The command line as a process: streams, signals and the exit. */
import { run } from './run.ts';

const interruption = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(130);
    interruption.abort();
  });
}

// Whoever read the output has gone, as in `svc … | head`: the command still goes on to its end and its exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const code = await run({
  words: process.argv.slice(2),
  environment: process.env,
  folder: process.cwd(),
  signal: interruption.signal,
  input: process.stdin,
  output: process.stdout,
  notes: process.stderr,
});

// Ended here and not by itself, since a connection that is kept for a next call would hold the process for seconds.
await Promise.all([process.stdout, process.stderr].map(flushed));
process.exit(code);

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0 || stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}
