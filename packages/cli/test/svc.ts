/**
 * The program with a home of its own, so that nothing of the person who runs the tests is touched. `svc` runs a command in
 * this process, `start` the built program in one of its own: for signals, terminals, pipes, and programs that are replaced.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { run } from '../src/run.ts';

// A test starts some ten processes, each of which takes seconds while all cores are busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const root = path.join(import.meta.dirname, '../../..');
export const programFile = path.join(root, 'packages/cli/dist/svc.mjs');

/** Brings the built program up to date; costs a moment when it is. */
export function buildProgram(): void {
  execFileSync(process.execPath, [path.join(root, 'scripts/prepare.mjs'), '--build=cli'], { stdio: 'pipe' });
}

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What the expression captures, as soon as standard error holds it. Rejects when the program ends before. */
  sees(expression: RegExp): Promise<string>;
}

export interface Machine extends AsyncDisposable {
  /** Its `SVC_HOME`. */
  readonly home: string;
  /** The folder that commands are called in. */
  readonly folder: string;
  /** Everything that any command here has printed. */
  readonly printed: () => string;
  /** In this process. */
  svc(
    words: readonly string[],
    environment?: Readonly<Record<string, string>>,
    folder?: string,
  ): Promise<Ended>;
  /** In a process of its own. */
  start(words: readonly string[], environment?: Readonly<Record<string, string>>, folder?: string): Started;
}

/**
 * @param url of the service; without it the program's own default counts.
 * @param program another file than the one that was built: `svc` starts it, too.
 */
export async function createMachine(
  url?: string,
  common: Readonly<Record<string, string>> = {},
  program: string = programFile,
): Promise<Machine> {
  const home = await mkdtemp(path.join(tmpdir(), 'svc-cli-'));
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-folder-'));
  const own = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    SVC_HOME: home,
    SVC_KEYSTORE: 'file',
    // What tests count are the calls and files of the command itself; analytics.http.test.ts looks at the others.
    SVC_ANALYTICS: 'off',
    ...(url === undefined ? {} : { SVC_API_BASE_URL: url }),
    ...common,
  };
  let printed = '';

  function start(
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    inFolder: string = folder,
  ): Started {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: inFolder,
      env: { ...own, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code) => {
        printed += stdout + stderr;
        resolve({ code, stdout, stderr });
      });
    });
    return {
      child,
      ended,
      sees: (expression) =>
        new Promise((resolve, reject) => {
          const look = () => {
            const [whole, part] = expression.exec(stderr) ?? [];
            if (whole !== undefined) resolve(part ?? whole);
          };
          child.stderr.on('data', look);
          child.once('close', () => reject(new Error(`It ended without ${expression}: ${stdout}${stderr}`)));
          look();
        }),
    };
  }

  async function svc(words: readonly string[], environment = {}, inFolder = folder): Promise<Ended> {
    if (program !== programFile) return start(words, environment, inFolder).ended;
    const ended = await runHere(words, { ...own, ...environment }, inFolder);
    printed += ended.stdout + ended.stderr;
    return ended;
  }

  return {
    home,
    folder,
    printed: () => printed,
    start,
    svc,
    async [Symbol.asyncDispose]() {
      await rm(home, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let isRunning = false;

/**
 * A command in this process, as a process of its own would be. One at a time, since they share environment and folder: waiting
 * for the other one would make a test of two at once a test of one after the other.
 */
async function runHere(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder: string,
): Promise<Ended> {
  if (isRunning)
    throw new Error('Another command runs in this process: begin those at the same time with `start`.');
  isRunning = true;
  const [ownEnvironment, ownFolder] = [{ ...process.env }, process.cwd()];
  let [stdout, stderr] = ['', ''];
  setEnvironment(environment);
  process.chdir(folder);
  try {
    const code = await run({
      words,
      environment: { ...environment },
      folder,
      input: {},
      output: { write: (text) => (stdout += text) },
      notes: { write: (text) => (stderr += text) },
      signal: new AbortController().signal,
    });
    return { code, stdout, stderr };
  } finally {
    process.chdir(ownFolder);
    setEnvironment(ownEnvironment);
    isRunning = false;
  }
}

function setEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env))
    if (!Object.hasOwn(environment, name)) delete process.env[name];
  Object.assign(process.env, environment);
}

export function jsonOf(text: string): unknown {
  return JSON.parse(text);
}
