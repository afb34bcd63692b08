/**
 * The real service as a separate process with its own folder and port, for suites about its start, load, signals and
 * crashes. The caller must stop it.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createActors, type Actors } from './actors.ts';
import { freePort } from './free-port.ts';
import { APP_ORIGIN } from './origin.ts';
import { writeGenerousPlans } from './plans.ts';
import { setupTokensIn } from './setup-token.ts';
import { writeGenerousThrottles } from './throttles.ts';

const root = path.join(import.meta.dirname, '../../..');
const bundleFile = path.join(root, 'packages/server/dist/main.mjs');
const sourceFile = path.join(root, 'packages/server/src/main.ts');

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const KEPT_OUTPUT_LENGTH = 20_000;
const TRIED_EVERY_MS = 2;

export type Program = 'bundle' | 'source';

export interface ServiceProcessOptions {
  /** The program to start, unchanged. The default is the bundle, which is rebuilt first if stale. */
  readonly program?: Program;
  /** A given folder is kept after the stop. By default, the service gets a temporary one. */
  readonly dataDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** A program and its arguments that start the service, for instance with other limits of the system. */
  readonly startedBy?: readonly string[];
  readonly generousThrottles?: boolean;
  /** Plans without limits instead of the service's own. */
  readonly generousPlans?: boolean;
}

/** How a process ended: its exit code, or the signal that ended it. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface LaunchedProcess {
  readonly pid: number;
  readonly port: number;
  readonly dataDir: string;
  /** False once the process has ended. */
  readonly alive: () => boolean;
  /** The end of its output on both streams. */
  readonly output: () => string;
  readonly ended: Promise<Ending>;
  signal(name: NodeJS.Signals): void;
}

export interface ServiceProcess extends LaunchedProcess, Actors, AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** The time from the spawn to the first accepted connection. */
  readonly startedInMs: number;
  /** Sends SIGTERM. Resolves to the exit code; null if the service had to be killed or a signal ended it. */
  stop(): Promise<number | null>;
}

export function bundleExists(): boolean {
  return existsSync(bundleFile);
}

let built: Promise<unknown> | undefined;

/**
 * Checks once per process, since the tested code does not change meanwhile. The pages are built only if they are
 * missing: the service starts with an old build too. A new build would delete files that the servers of other tests
 * use.
 */
function buildOnce(): Promise<unknown> {
  const bundles = existsSync(path.join(root, 'packages/web/dist/manifest.json'))
    ? ['server']
    : ['server', 'web'];
  const words = bundles.map((bundle) => `--build=${bundle}`);
  built ??= promisify(execFile)(process.execPath, [path.join(root, 'scripts/prepare.mjs'), ...words]);
  return built;
}

/** Starts the process, without waiting until it accepts connections. */
export async function launchService(
  options: ServiceProcessOptions & { dataDir: string },
): Promise<LaunchedProcess> {
  const { dataDir } = options;
  if (options.program === undefined) await buildOnce();
  const port = await freePort();
  const environment = {
    ...bareEnvironment(),
    APP_BASE_URL: APP_ORIGIN,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    ...(options.generousThrottles ? { THROTTLES_PATH: await writeGenerousThrottles(dataDir) } : {}),
    ...(options.generousPlans ? { PLANS_PATH: await writeGenerousPlans(dataDir) } : {}),
    ...options.environment,
  };
  const program = options.program === 'source' ? sourceFile : bundleFile;
  const [starter, ...given] = [...(options.startedBy ?? []), process.execPath];
  const child = spawn(starter ?? process.execPath, [...given, program], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT_OUTPUT_LENGTH);
    });
  }
  return {
    pid: child.pid ?? 0,
    port: Number(environment.PORT),
    dataDir,
    alive: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    // Waits for the streams to close too, so that all output has arrived.
    ended: new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
    }),
    signal: (name) => void child.kill(name),
  };
}

/** Starts the process and waits until it accepts connections. */
export async function startServiceProcess(options: ServiceProcessOptions = {}): Promise<ServiceProcess> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'svc-process-')));
  const began = performance.now();
  const launched = await launchService({ ...options, dataDir });

  async function stop(): Promise<number | null> {
    launched.signal('SIGTERM');
    const force = setTimeout(() => launched.signal('SIGKILL'), STOP_TIMEOUT_MS);
    const { code } = await launched.ended;
    clearTimeout(force);
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    return code;
  }

  try {
    await untilAccepting(launched.port, launched.alive);
  } catch (error) {
    await stop();
    throw new Error(`The service did not start.\n${launched.output()}`, { cause: error });
  }
  const url = `http://127.0.0.1:${launched.port}`;
  return {
    ...launched,
    ...createActors(url, setupTokensIn(dataDir, options.environment?.['PLATFORM_ADMIN_EMAIL'])),
    url,
    startedInMs: performance.now() - began,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

/** Contains only what a process needs to run: settings in the caller's shell must not apply. */
function bareEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

async function untilAccepting(port: number, alive: () => boolean): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (!alive()) throw new Error('It ended.');
    if (await accepts(port)) return;
    await new Promise((resolve) => {
      setTimeout(resolve, TRIED_EVERY_MS);
    });
  }
  throw new Error(`The service did not listen within ${START_TIMEOUT_MS} ms.`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
