/** A temporary Redis server in its own folder, without persistence, that a test can kill, pause and start again. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

const PROGRAM = 'redis-server';
const START_MS_MAX = 30_000;
const TRIED_EVERY_MS = 20;

let isMissing: boolean | undefined;

/** Without a Redis server, tests are skipped with a message on developer machines, and fail in CI. */
export function redisMissing(): boolean {
  if (process.env['CI'] === 'true') return false;
  if (isMissing === undefined) {
    isMissing = spawnSync(PROGRAM, ['--version']).error !== undefined;
    if (isMissing) writeSync(2, `${PROGRAM} is not installed: the tests on Redis are skipped.\n`);
  }
  return isMissing;
}

export interface RedisServer extends AsyncDisposable {
  readonly port: number;
  /** The URL of database 0, without a password. */
  readonly url: string;
  /** The process id of the server that runs now. */
  pid(): number;
  /** Kills the server; its data is lost. */
  kill(): Promise<void>;
  /** Starts the server again on the same port, empty. */
  start(): Promise<void>;
  /** Stops the server from answering. Its connections stay open, and the system still accepts new ones. */
  pause(): void;
  resume(): void;
  /** Ends the server and deletes its folder. */
  remove(): Promise<void>;
}

/** @param settingsFor returns the arguments for a port, for instance those of a server that accepts only TLS. */
export async function startRedisServer(
  settingsFor: (port: number) => readonly string[] = (port) => ['--port', String(port)],
): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-redis-'));
  const port = await freePort();
  const persistence = ['--dir', folder, '--save', '', '--appendonly', 'no'];
  let running: ChildProcess | undefined;

  /** Stops the server when a run ends without `remove`. */
  const killNow = () => void running?.kill('SIGKILL');
  process.once('exit', killNow);

  async function kill(): Promise<void> {
    if (running === undefined) return;
    const ended = once(running, 'close');
    killNow();
    running = undefined;
    await ended;
  }

  async function start(): Promise<void> {
    const child = spawn(PROGRAM, ['--bind', '127.0.0.1', ...persistence, ...settingsFor(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (text: Buffer) => {
      output = (output + String(text)).slice(-4000);
    });
    await once(child, 'spawn').catch((cause: unknown) => {
      throw new Error(`No ${PROGRAM}: install it.`, { cause });
    });
    running = child;
    const deadline = performance.now() + START_MS_MAX;
    while (!(await accepts(port))) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`${PROGRAM} did not start.\n${output}`);
      await new Promise((resolve) => {
        setTimeout(resolve, TRIED_EVERY_MS);
      });
    }
  }

  async function remove(): Promise<void> {
    await kill();
    process.off('exit', killNow);
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}/0`,
    pid: () => running?.pid ?? 0,
    kill,
    start,
    pause: () => void running?.kill('SIGSTOP'),
    resume: () => void running?.kill('SIGCONT'),
    remove,
    [Symbol.asyncDispose]: remove,
  };
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
