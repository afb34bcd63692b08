/** The real program as a child process, with a home of its own, so that nothing of the person who runs the tests is touched. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';

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
  svc(
    words: readonly string[],
    environment?: Readonly<Record<string, string>>,
    folder?: string,
  ): Promise<Ended>;
  start(words: readonly string[], environment?: Readonly<Record<string, string>>, folder?: string): Started;
}

/**
 * @param url of the service; without it the program's own default counts.
 * @param program another file than the one that was built.
 */
export async function createMachine(
  url?: string,
  common: Readonly<Record<string, string>> = {},
  program: string = programFile,
): Promise<Machine> {
  const home = await mkdtemp(path.join(tmpdir(), 'svc-cli-'));
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-folder-'));
  let printed = '';

  function start(
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    inFolder: string = folder,
  ): Started {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: inFolder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        SVC_HOME: home,
        SVC_KEYSTORE: 'file',
        // What tests count are the calls and files of the command itself; analytics.http.test.ts looks at the others.
        SVC_ANALYTICS: 'off',
        ...(url === undefined ? {} : { SVC_API_BASE_URL: url }),
        ...common,
        ...environment,
      },
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

  return {
    home,
    folder,
    printed: () => printed,
    start,
    svc: (words, environment, inFolder) => start(words, environment, inFolder).ended,
    async [Symbol.asyncDispose]() {
      await rm(home, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function jsonOf(text: string): unknown {
  return JSON.parse(text);
}
