/**
 * System calls of a running process: watched, made to fail, or made the process's last, without a line of test code in it.
 *
 * The process is traced only for as long as a fault needs; what is counted begins when tracing does.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ATTACHED_WITHIN_MS = 10_000;
const DETACHED_WITHIN_MS = 5000;
/** As the runtime names the thread that JavaScript runs on, and those that files are handled on. */
const FILE_THREAD = 'libuv-worker';

export interface Injection {
  readonly calls: readonly string[];
  /** As strace has it after the calls, such as `error=EIO:when=3`. */
  readonly effect: string;
}

export interface Tracing {
  /** Every traced call so far, one a line, with the paths of its descriptors. */
  lines(): string[];
  /** Resolves once the process goes on untraced, or is gone. */
  detach(): Promise<void>;
}

/** Why calls can not be traced on this machine; null when they can. */
export function whyNotTraceable(): string | null {
  if (process.platform !== 'linux') return 'system calls are traced on Linux only';
  const { error, status } = spawnSync('strace', ['-o', '/dev/null', 'true'], { timeout: 10_000 });
  if (error) return 'strace is not installed';
  return status === 0 ? null : 'strace may not trace here';
}

/** `all` threads, the `main` one, or the one that files are handled on, which must be the only one (`files`). */
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
    const timer = setTimeout(() => fail('no word from it'), ATTACHED_WITHIN_MS);
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
    throw new Error(`${found.length} threads handle files, where one should`);
  return Number(only);
}
