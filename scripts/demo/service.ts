/** The built service as a process of its own, on a free port. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const bundle = path.join(import.meta.dirname, '../../packages/server/dist/main.mjs');
const START_LIMIT_MS = 30_000;
const ASKED_EVERY_MS = 50;
const STOP_LIMIT_MS = 15_000;
const KEPT_OUTPUT_LENGTH = 4000;

export interface Service extends AsyncDisposable {
  readonly url: string;
  /** The exit code; null when a signal ended the process. */
  readonly ended: Promise<number | null>;
}

/** Resolves when the service answers. The signal stops the start; dispose of the result to stop a running service. */
export async function startService(dataDir: string, signal: AbortSignal): Promise<Service> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { PATH, HOME, TMPDIR, TEMP, SYSTEMROOT } = process.env;
  const settings = { HOST: '127.0.0.1', PORT: String(port), APP_BASE_URL: url, DATA_DIR: dataDir };
  const child = spawn(process.execPath, [bundle], {
    env: { PATH, HOME, TMPDIR, TEMP, SYSTEMROOT, ...settings, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-KEPT_OUTPUT_LENGTH)));
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const isOver = () => child.exitCode !== null || child.signalCode !== null;

  async function stop(): Promise<void> {
    if (isOver()) return;
    child.kill('SIGINT');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(late);
  }

  try {
    const deadline = performance.now() + START_LIMIT_MS;
    while (!(await answers(`http://127.0.0.1:${port}`))) {
      signal.throwIfAborted();
      if (isOver() || performance.now() > deadline) throw new Error(`The service did not start.\n${output}`);
      await wait(ASKED_EVERY_MS);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, ended, [Symbol.asyncDispose]: stop };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/v1/health`)).ok;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
