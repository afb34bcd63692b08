/**
 * A user's terminal: a folder with a repository to scan, and the built program as `svc`. Commands from the pages run
 * in a shell unchanged.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(import.meta.dirname, '../../..');
const program = path.join(root, 'packages/cli/dist/svc.mjs');
const run = promisify(execFile);

export interface Typed {
  /** The text that the expression captures, once it is printed. Rejects if the command ends first. */
  shows(expression: RegExp): Promise<string>;
  /** Rejects with the output if the command fails. */
  readonly done: Promise<void>;
}

export interface Terminal extends AsyncDisposable {
  type(command: string): Typed;
  /** Lets the fake scanner finish. */
  finishScanner(): Promise<void>;
}

/** @param files of the repository with this name. */
export async function openTerminal(name: string, files: Readonly<Record<string, string>>): Promise<Terminal> {
  execFileSync(process.execPath, [path.join(root, 'scripts/prepare.mjs'), '--build=cli'], { stdio: 'pipe' });
  const place = await mkdtemp(path.join(tmpdir(), 'svc-terminal-'));
  const [programs, repository, gate] = ['programs', name, 'gate'].map((part) => path.join(place, part)) as [
    string,
    string,
    string,
  ];
  await run('mkfifo', [gate]);
  await writeProgram(path.join(programs, 'svc'), `exec '${process.execPath}' '${program}' "$@"`);
  await writeProgram(path.join(programs, 'gitleaks'), slowScanner(gate));
  await writeProgram(path.join(programs, 'git'), `exec '${installedGit()}' "$@"`);
  for (const [file, text] of Object.entries(files)) await write(path.join(repository, file), text);
  await run('git', ['init', '--quiet'], { cwd: repository });
  const stop = new AbortController();

  function type(command: string): Typed {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: repository,
      env: {
        // Scanners that the machine has must not run.
        PATH: programs,
        HOME: place,
        SVC_HOME: path.join(place, 'home'),
        SVC_KEYSTORE: 'file',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: stop.signal,
      detached: true,
    });
    let shown = '';
    const lookers = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        shown += text;
        for (const look of lookers) look();
      });
    }
    const done = new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`${command} ended with ${String(code)}: ${shown}`)),
      );
    });
    // If nothing awaits it, the test has already failed for another reason.
    done.catch(() => undefined);
    return {
      done,
      shows: (expression) =>
        new Promise((resolve, reject) => {
          const look = () => {
            const [whole, part] = expression.exec(shown) ?? [];
            if (whole !== undefined) resolve(part ?? whole);
          };
          lookers.add(look);
          done.then(
            () => reject(new Error(`${command} did not show ${String(expression)}: ${shown}`)),
            reject,
          );
          look();
        }),
    };
  }

  return {
    type,
    finishScanner: () => writeFile(gate, '\n'),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await rm(place, { recursive: true, force: true });
    },
  };
}

function installedGit(): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const file = folders.map((folder) => path.join(folder, 'git')).find((each) => existsSync(each));
  if (file === undefined) throw new Error('The tests need git.');
  return file;
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function writeProgram(file: string, script: string): Promise<void> {
  await write(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

/** Finds nothing, and ends when the test writes to the gate. */
function slowScanner(gate: string): string {
  const log = '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"gitleaks"}},"results":[]}]}';
  return `[ "$1" = version ] && echo 8.24.0 && exit\nread -r _ < '${gate}'\necho '${log}' > "$6"`;
}
