/** Runs a command of the program as a process of its own, and may kill it. */
import { spawn } from 'node:child_process';
import { builtService } from '@svc/testkit/service-process';

export interface EndedCommand {
  /** Null when it was killed. */
  readonly exitCode: number | null;
  readonly output: string;
  readonly tookMs: number;
}

/** A delay in milliseconds, or a condition that is checked every millisecond. */
export type KillTime = number | (() => boolean);

/** @param killed null to let it finish. */
export async function runProcess(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  killed: KillTime | null = null,
): Promise<EndedCommand> {
  const program = await builtService();
  const began = performance.now();
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, ...words, '--quiet'], {
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const kill = () => child.kill('SIGKILL');
  const timer =
    typeof killed === 'function'
      ? setInterval(() => void (killed() && kill()), 1)
      : killed !== null && setTimeout(kill, killed);
  const exitCode = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  // Clears an interval too.
  if (timer) clearTimeout(timer);
  return { exitCode, output, tookMs: performance.now() - began };
}

/** Delays that spread kills over a run, beginning after the program has loaded. */
export function killPoints(wholeRunMs: number, loadingMs: number, count: number): number[] {
  const stepMs = (wholeRunMs - loadingMs) / count;
  return Array.from({ length: count }, (_, at) => loadingMs + at * stepMs);
}
