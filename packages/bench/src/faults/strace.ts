/**
 * Traces system calls of a running process, makes them fail, or kills the process at one, without test code in the
 * process.
 *
 * The process is traced only as long as a fault needs; counts start with the tracing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ATTACHED_WITHIN_MS = 10_000;
const DETACHED_WITHIN_MS = 5000;
/** The name of the threads that do file I/O. */
const FILE_THREAD = 'libuv-worker';

export interface Injection {
  readonly calls: readonly string[];
  /** The strace injection, such as `error=EIO:when=3`. */
  readonly effect: string;
}

export interface Tracing {
  /** Every traced call so far, one per line, with the paths of its descriptors. */
  lines(): string[];
  /** Resolves once the process runs untraced or has ended. */
  detach(): Promise<void>;
}

/** Why tracing is not possible on this machine; null if it is. */
export function whyNotTraceable(): string | null {
  if (process.platform !== 'linux') return 'system calls are traced on Linux only';
  const { error, status } = spawnSync('strace', ['-o', '/dev/null', 'true'], { timeout: 10_000 });
  if (error) return 'strace is not installed';
  return status === 0 ? null : 'strace has no permission to trace here';
}

/** `all` threads, the `main` thread, or the file I/O thread (`files`), of which there must be only one. */
export type Threads = 'all' | 'main' | 'files';

export async function trace(
  pid: number,
  threads: Threads,
  calls: readonly string[],
  injection?: Injection,
): Promise<Tracing> {
  const target = threads === 'files' ? fileThreadOf(pid) : pid;
  const child = spawn(
    'strace',
    [
      ...(threads === 'all' ? ['-f'] : []),
      '-y',
      '-s8',
      `-etrace=${calls.join(',')}`,
      `-p${target}`,
      ...(injection ? [`-einject=${injection.calls.join(',')}:${injection.effect}`] : []),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`strace did not attach: ${why}\n${output}`));
    const timer = setTimeout(() => fail('it printed nothing'), ATTACHED_WITHIN_MS);
    child.once('error', (error) => fail(error.message));
    child.once('close', () => fail('it ended'));
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes(' attached')) return;
      clearTimeout(timer);
      resolve();
    });
  });
  return {
    lines: () => output.split('\n').filter((line) => line.includes('(')),
    async detach() {
      child.kill('SIGINT');
      const force = setTimeout(() => child.kill('SIGKILL'), DETACHED_WITHIN_MS);
      await ended;
      clearTimeout(force);
    },
  };
}

function fileThreadOf(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const found = readdirSync(folder).filter(
    (thread) => readFileSync(`${folder}/${thread}/comm`, 'utf8').trim() === FILE_THREAD,
  );
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new Error(`${found.length} threads handle files instead of one`);
  return Number(only);
}
