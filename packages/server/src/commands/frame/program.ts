/** A command as a process: streams, signals and the exit code. */
import { createInterface } from 'node:readline/promises';
import { StartError } from '#start-error';
import type { Environment } from '../../config.ts';
import { createProgress, noProgress } from './progress.ts';
import { runCommand } from './run-command.ts';

/** Signals this close together come from one keystroke. */
const SAME_KEYSTROKE_MS = 500;
/** A command that is asked to stop gets this long to clean up. */
const STOP_GRACE_MS = 10_000;
const FAILED = 2;

export async function runProgram(words: readonly string[], environment: Environment): Promise<void> {
  // Only the owner can access files that a command creates.
  process.umask(0o077);
  const isJson = words.includes('--json');
  const progress = words.includes('--quiet') ? noProgress : createProgress(process.stderr);
  const signal = stopOnSignals();
  const { exitCode, lines, value, toStandardOutput } = await runCommand(words, {
    environment,
    signal,
    report: progress.report,
    async confirm(question) {
      progress.end();
      return confirm(question, signal);
    },
  });
  progress.end();
  const text = isJson ? JSON.stringify(value) : lines.join('\n');
  const output = isJson || toStandardOutput ? process.stdout : process.stderr;
  // Ends the process explicitly, because a connection that the command abandoned would keep it running.
  output.write(`${text}\n`, () => process.exit(exitCode));
}

function stopOnSignals(): AbortSignal {
  const interruption = new AbortController();
  let stoppingSince: number | undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (stoppingSince === undefined) {
        stoppingSince = Date.now();
        setTimeout(stopNow, STOP_GRACE_MS).unref();
        interruption.abort();
      } else if (Date.now() - stoppingSince > SAME_KEYSTROKE_MS) stopNow();
    });
  return interruption.signal;
}

/** Ends a command that does not stop in time because it waits for something else. */
function stopNow(): never {
  process.stderr.write('Interrupted.\n');
  process.exit(FAILED);
}

async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new StartError('Can’t prompt: not a terminal. Pass --yes to confirm.');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${question} [y/N] `, { signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}
