/**
 * The only code that starts programs. The file is an absolute path (search-path.ts finds it), and the environment is an
 * allowlist (environment.ts).
 *
 * Runs one program to its end, within limits: no shell, no input, a time limit, an output limit. The program is the
 * leader of a process group. However the program ends, no process of the group remains, even if one ignores SIGTERM or
 * this process ends first. Windows has no such groups: there, only the program itself is ended.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import path from 'node:path';

export interface Program {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeLimitMs: number;
  readonly outputBytesMax: number;
  /** A file that the program writes, with the same size limit. */
  readonly outputFile?: string;
  readonly signal: AbortSignal;
}

export type ProgramEnd =
  | { readonly ended: 'exited'; readonly code: number; readonly output: Buffer; readonly complaint: string }
  | { readonly ended: 'killed' | 'timeout' | 'too_much_output' | 'aborted'; readonly complaint: string }
  | { readonly ended: 'not_started'; readonly complaint: string };
type Stop = 'timeout' | 'too_much_output' | 'aborted';

/** The time between asking a program to end and killing it. */
const GRACE_MS = 2000;
/** A process that keeps the output open after the program's end has left its group deliberately. */
const OUTPUT_AFTER_END_MS = 1000;
const OUTPUT_FILE_LOOKS_MS = 250;
const COMPLAINT_BYTES_MAX = 8192;

/** Never rejects. `complaint` is the unedited end of the program's standard error, or says why it did not start. */
export async function runProgram(program: Program): Promise<ProgramEnd> {
  const { signal, timeLimitMs, outputBytesMax, outputFile } = program;
  if (signal.aborted) return { ended: 'aborted', complaint: '' };
  const child = started(program);
  if (child instanceof Error) return { ended: 'not_started', complaint: child.message };
  const group = new ProcessGroup(child);
  let stopped: Stop | undefined;
  const stop = (why: Stop) => {
    stopped ??= why;
    group.end();
  };
  const written = collectOutput(child, outputBytesMax, () => {
    stop('too_much_output');
  });
  const timer = setTimeout(stop, timeLimitMs, 'timeout');
  const onAbort = () => {
    stop('aborted');
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const looks = setInterval(() => {
    if (outputFile !== undefined && sizeOf(outputFile) > outputBytesMax) stop('too_much_output');
  }, OUTPUT_FILE_LOOKS_MS);
  try {
    const end = await endOf(child, group);
    const complaint = written.complaint();
    if (end instanceof Error) return { ended: 'not_started', complaint: end.message };
    if (stopped !== undefined) return { ended: stopped, complaint };
    if (end === null) return { ended: 'killed', complaint };
    return { ended: 'exited', code: end, output: written.output(), complaint };
  } finally {
    clearTimeout(timer);
    clearInterval(looks);
    signal.removeEventListener('abort', onAbort);
    group.kill();
  }
}

function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Starts a program that outlives this process, such as a browser.
 * @returns false when it cannot be started.
 */
export async function startDetached({
  file,
  arguments: args,
  folder,
  environment,
}: Pick<Program, 'file' | 'arguments' | 'folder' | 'environment'>): Promise<boolean> {
  if (!path.isAbsolute(file)) return false;
  const child = spawn(file, args, {
    cwd: folder,
    env: environment,
    shell: false,
    detached: true,
    windowsHide: true,
    stdio: 'ignore',
  });
  try {
    await once(child, 'spawn');
  } catch {
    return false;
  }
  child.unref();
  return true;
}

function started({ file, arguments: args, folder, environment }: Program) {
  if (!path.isAbsolute(file)) return new Error('A program is started by its absolute path only.');
  try {
    return spawn(file, args, {
      cwd: folder,
      env: environment,
      shell: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    return error instanceof Error ? error : new Error('The program cannot be started.');
  }
}

type Outputs = Pick<ReturnType<typeof spawn>, 'stdout' | 'stderr'>;

function collectOutput({ stdout, stderr }: Outputs, bytesMax: number, onTooMuch: () => void) {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let complaint = Buffer.alloc(0);
  const isTooMuch = (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes <= bytesMax) return false;
    chunks.length = 0;
    onTooMuch();
    return true;
  };
  stdout?.on('data', (chunk: Buffer) => {
    if (!isTooMuch(chunk)) chunks.push(chunk);
  });
  stderr?.on('data', (chunk: Buffer) => {
    if (!isTooMuch(chunk)) complaint = Buffer.concat([complaint, chunk]).subarray(-COMPLAINT_BYTES_MAX);
  });
  return { output: () => Buffer.concat(chunks), complaint: () => complaint.toString() };
}

/** The exit code of the child; null when a signal ended it, an error when it could not be started. */
function endOf(child: ChildProcess, group: ProcessGroup): Promise<number | null | Error> {
  return new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', (code) => {
      group.kill();
      const late = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, OUTPUT_AFTER_END_MS);
      child.once('close', () => {
        clearTimeout(late);
        resolve(code);
      });
    });
  });
}

class ProcessGroup {
  readonly #child: ChildProcess;
  #grace: NodeJS.Timeout | undefined;
  #isOver = false;
  readonly #onExit = () => {
    this.#signal('SIGKILL');
  };

  constructor(child: ChildProcess) {
    this.#child = child;
    process.on('exit', this.#onExit);
  }

  /** Asks the group to end, and kills it after a grace period. */
  end(): void {
    if (this.#grace !== undefined) return;
    this.#signal('SIGTERM');
    this.#grace = setTimeout(() => {
      this.#signal('SIGKILL');
    }, GRACE_MS);
  }

  /** Kills the rest of the group, only once: later the group's id may belong to another group. */
  kill(): void {
    clearTimeout(this.#grace);
    process.off('exit', this.#onExit);
    if (!this.#isOver) this.#signal('SIGKILL');
    this.#isOver = true;
  }

  #signal(name: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill(name);
      else process.kill(-pid, name);
    } catch {
      // The group has no process left.
    }
  }
}
