/**
 * The program with its own home folder, so that nothing of the person who runs the tests is touched. `svc` and `begin` run a
 * command in this process, without waits. `start` runs the built program in its own process: for signals, terminals, pipes,
 * and programs that are replaced.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import type { Clock } from '../src/clock.ts';
import { run } from '../src/run.ts';
import { eagerClock } from './eager-clock.ts';
import { plainEnvironment } from './tools.ts';

const root = path.join(import.meta.dirname, '../../..');
let built: string | undefined;

/** The built program, rebuilt if it is stale. */
export function builtProgram(): string {
  if (built === undefined) {
    execFileSync(process.execPath, [path.join(root, 'scripts/prepare.mjs'), '--build=cli'], {
      stdio: 'pipe',
    });
    built = path.join(root, 'packages/cli/dist/svc.mjs');
  }
  return built;
}

export interface CommandResult {
  /** Null when a signal ended the command. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly ended: Promise<CommandResult>;
  /** Standard output so far. */
  said(): string;
  /**
   * The first capture of the expression, or else its match, as soon as standard error matches it. Rejects when the
   * command ends before that.
   */
  sees(expression: RegExp): Promise<string>;
  /** Interrupts the command, as Ctrl+C does. */
  interrupt(): void;
}

export interface Started extends RunningCommand {
  readonly child: ChildProcess;
}

type Environment = Readonly<Record<string, string>>;

export interface Machine extends AsyncDisposable {
  /** The value of `SVC_HOME`. */
  readonly home: string;
  /** The current folder of commands. */
  readonly folder: string;
  /** The clock for commands in this process. */
  clock: Clock;
  /** The output of all commands so far. */
  readonly printed: () => string;
  /** Runs a command in this process. */
  svc(words: readonly string[], environment?: Environment, folder?: string): Promise<CommandResult>;
  /** Like `svc`, with input on standard input. */
  svcWith(input: string | Uint8Array, words: readonly string[], folder?: string): Promise<CommandResult>;
  /** Begins a command in this process. While it runs, others may be begun with the same environment and folder. */
  begin(words: readonly string[], environment?: Environment, folder?: string): RunningCommand;
  /** Runs a command in a process of its own. */
  start(words: readonly string[], environment?: Environment, folder?: string): Started;
}

export interface MachineOptions {
  /** Replaces the built program. */
  readonly program?: string;
}

/** @param url of the service; without it the program uses its default. */
export async function createMachine(
  url?: string,
  common: Environment = {},
  { program }: MachineOptions = {},
): Promise<Machine> {
  const home = await mkdtemp(path.join(tmpdir(), 'svc-cli-'));
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-folder-'));
  const own = {
    ...plainEnvironment,
    HOME: home,
    SVC_HOME: home,
    SVC_KEYSTORE: 'file',
    // Tests count only the command's own calls and files; analytics.http.test.ts tests the others.
    SVC_ANALYTICS: 'off',
    ...(url === undefined ? {} : { SVC_API_BASE_URL: url }),
    ...common,
  };
  let printed = '';
  const noted = (ended: CommandResult): CommandResult => {
    printed += ended.stdout + ended.stderr;
    return ended;
  };

  function start(words: readonly string[], environment: Environment = {}, inFolder = folder): Started {
    const child = spawn(process.execPath, [program ?? builtProgram(), ...words], {
      cwd: inFolder,
      env: { ...own, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { ended, ...begun } = heard(child);
    return { ...begun, child, ended: ended.then(noted) };
  }

  function begin(
    words: readonly string[],
    environment: Environment = {},
    inFolder = folder,
    input: string | Uint8Array = '',
  ): RunningCommand {
    const spoken = createSpoken();
    const interruption = new AbortController();
    const all = { ...own, ...environment };
    const leave = enter(all, inFolder);
    const ended = run({
      words,
      environment: { ...all },
      folder: inFolder,
      input: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]),
      output: spoken.output,
      notes: spoken.notes,
      signal: interruption.signal,
      clock: machine.clock,
      ...(program !== undefined && { program: pathToFileURL(path.join(program, 'module.mjs')).href }),
    })
      .finally(leave)
      .then((code) => noted(spoken.end(code)));
    return { ended, said: spoken.stdout, sees: spoken.sees, interrupt: () => interruption.abort() };
  }

  const machine: Machine = {
    home,
    folder,
    clock: eagerClock,
    printed: () => printed,
    start,
    begin,
    svc: (...given) => begin(...given).ended,
    svcWith: (input, words, inFolder) => begin(words, {}, inFolder, input).ended,
    async [Symbol.asyncDispose]() {
      await rm(home, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
  return machine;
}

/** The output of a process, until its streams end. */
export function heard(child: ChildProcess): RunningCommand {
  const spoken = createSpoken();
  child.stdout?.setEncoding('utf8').on('data', spoken.output.write);
  child.stderr?.setEncoding('utf8').on('data', spoken.notes.write);
  const ended = once(child, 'close').then(([code]) => spoken.end(code as number | null));
  return { ended, said: spoken.stdout, sees: spoken.sees, interrupt: () => void child.kill('SIGINT') };
}

/** The output of a command so far. */
function createSpoken() {
  const said = { stdout: '', stderr: '' };
  const events = new EventEmitter().setMaxListeners(0);
  const writing = (name: keyof typeof said) => ({
    write: (text: string) => {
      said[name] += text;
      events.emit('said');
    },
  });
  return {
    output: writing('stdout'),
    notes: writing('stderr'),
    stdout: () => said.stdout,
    end(code: number | null): CommandResult {
      events.emit('ended');
      return { code, ...said };
    },
    sees: (expression: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const [whole, part] = expression.exec(said.stderr) ?? [];
          if (whole !== undefined) resolve(part ?? whole);
        };
        const fail = () => reject(new Error(`It ended without ${expression}: ${said.stdout}${said.stderr}`));
        events.on('said', look).once('ended', fail);
        look();
      }),
  };
}

let running = 0;
let entered = '';
let restore = () => {};

/** Sets the process to a command's environment and folder. Simultaneous commands must have the same ones. */
function enter(environment: Environment, folder: string): () => void {
  const here = JSON.stringify([environment, folder]);
  if (running > 0 && here !== entered)
    throw new Error(
      'A command with another environment or folder runs in this process: begin it with `start`.',
    );
  if (running === 0) {
    const [ownEnvironment, ownFolder] = [{ ...process.env }, process.cwd()];
    entered = here;
    setEnvironment(environment);
    process.chdir(folder);
    restore = () => {
      process.chdir(ownFolder);
      setEnvironment(ownEnvironment);
    };
  }
  running += 1;
  return () => {
    running -= 1;
    if (running === 0) restore();
  };
}

function setEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env))
    if (!Object.hasOwn(environment, name)) delete process.env[name];
  Object.assign(process.env, environment);
}

export function jsonOf(text: string): unknown {
  return JSON.parse(text);
}

export const containing = (text: string) => expect.stringContaining(text) as string;
