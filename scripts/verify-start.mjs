// `npm run verify:start`: does what a newcomer does. It clones the last commit into an empty folder, starts it there
// cold (with nothing installed) and then warm, and compares both times with their limits. Each start must answer on the
// health address, stop when npm is asked to, and leave the port free.
//
// In a clean clone, in which nothing is installed, it starts that clone itself, which is then installed and built. So it is
// plain JavaScript for Node 20, without dependencies.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const coldLimitMs = 90_000;
const warmLimitMs = 2000;
const stopLimitMs = 30_000;
const pollEveryMs = 20;

const root = fileURLToPath(new URL('..', import.meta.url));
const isFresh = !existsSync(path.join(root, 'node_modules'));
const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'verify-start-'));
const clone = isFresh ? root : path.join(folder, 'clone');
try {
  if (!isFresh) execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
  const cold = await startAndStop('cold', coldLimitMs);
  const warm = cold && (await startAndStop('warm', warmLimitMs));
  process.exitCode = cold && warm ? 0 : 1;
} finally {
  await fs.rm(folder, { recursive: true, force: true });
}

/** @returns whether it started in time and stopped. */
async function startAndStop(name, limitMs) {
  const port = await freePort();
  const startedMs = performance.now();
  // npm gets its own process group, so that everything that it starts can be ended with it.
  const npm = spawn('npm', ['start'], {
    cwd: clone,
    // Some shells export NODE_ENV. It is set here, because it must not affect the build.
    env: {
      ...outerEnvironment(),
      NODE_ENV: 'development',
      PORT: String(port),
      DATA_DIR: path.join(folder, 'data'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += chunk.toString()));
  try {
    await untilHealthy(npm, port, startedMs + limitMs);
    const tookMs = performance.now() - startedMs;
    await stop(npm);
    await rejectDevelopmentPages();
    if (await answers(port)) throw new Error('the server still answers after npm has ended');
    console.log(`${name} start: ${(tookMs / 1000).toFixed(2)} s (limit ${limitMs / 1000} s)`);
    return true;
  } catch (error) {
    console.log(
      `${name} start: ${error instanceof Error ? error.message : String(error)} (limit ${limitMs / 1000} s)`,
    );
    console.log(output.trimEnd());
    return false;
  } finally {
    endGroup(npm);
  }
}

async function rejectDevelopmentPages() {
  const assets = path.join(clone, 'packages/web/dist/assets');
  for (const name of await fs.readdir(assets)) {
    const isOfDevelopment =
      name.endsWith('.js') && (await fs.readFile(path.join(assets, name), 'utf8')).includes('jsxDEV');
    if (isOfDevelopment) throw new Error(`the pages were built for development: ${name}`);
  }
}

async function untilHealthy(npm, port, deadlineMs) {
  while (!(await answers(port))) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with code ${npm.exitCode}`);
    if (performance.now() > deadlineMs) throw new Error('no response in time');
    await wait(pollEveryMs);
  }
}

async function answers(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/health`);
    return response.ok;
  } catch {
    return false;
  }
}

/** Asks npm to stop, as a process manager would, and waits for its successful exit. */
async function stop(npm) {
  const ended = new Promise((resolve) => npm.once('close', resolve));
  npm.kill('SIGTERM');
  const code = await Promise.race([ended, wait(stopLimitMs, 'late', { ref: false })]);
  if (code === 'late') throw new Error(`still running ${stopLimitMs / 1000} s after SIGTERM`);
  if (code !== 0) throw new Error(`ended with code ${code} after SIGTERM`);
}

function endGroup(npm) {
  try {
    if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGKILL');
  } catch {
    // The process group has already ended, as it should.
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

/** The environment without the variables that npm adds for its scripts: the clone starts on the machine's own Node. */
function outerEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_|^NODE$|^INIT_CWD$/.test(name));
  const env = Object.fromEntries(kept);
  const isOurs = (entry) => path.resolve(entry).startsWith(root) || entry.includes('node-gyp-bin');
  env['PATH'] = (env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((entry) => !isOurs(entry))
    .join(path.delimiter);
  return env;
}
