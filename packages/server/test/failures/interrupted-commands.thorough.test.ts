/** A backup that is stopped by a signal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { startServer, syncReport } from '@svc/testkit';
import { expect, test } from 'vitest';

const PROGRAM = path.join(import.meta.dirname, '../../dist/main.mjs');
const REPORTS = 300;

test.each(['SIGTERM', 'SIGINT'] as const)('a backup that gets %s leaves no files', async (signal) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-interrupted-'));
  const server = await startServer({ generousPlans: true });
  const device = await server.linkDevice(await server.signUp());
  for (let made = 0; made < REPORTS; made += 1) await syncReport(device);
  const child = spawn(process.execPath, [PROGRAM, 'backup', path.join(folder, 'backup')], {
    env: { PATH: process.env['PATH'], DATA_DIR: server.dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = text(child.stderr);
  // The backup has begun to copy when its folder exists.
  while ((await readdir(folder)).length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  child.kill(signal);
  await once(child, 'exit');
  expect([child.exitCode, await errors]).toEqual([2, 'Interrupted.\n']);
  expect(await readdir(folder)).toEqual([]);
  await server.close();
  await rm(folder, { recursive: true });
});
