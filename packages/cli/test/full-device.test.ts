/** Where a command writes there may be no space: what is lost is told, in the exit code at least, and never as a crash. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { buildProgram, createMachine, jsonOf, programFile, type Machine } from './svc.ts';

const NO_SPACE = 'The output could not be written: no space is left.';
const SCAN = 'scan . --only secrets --no-sync';

let machine: Machine;
beforeAll(async () => {
  buildProgram();
  machine = await createMachine('http://127.0.0.1:9');
  await writeFile(path.join(machine.folder, 'notes.txt'), 'nothing of interest\n');
  await machine.svc(SCAN.split(' '));
});
afterAll(() => machine[Symbol.asyncDispose]());

/** With one of its streams, or both, at a device. */
async function svcAt(device: string, words: string, streams: readonly (1 | 2)[]) {
  const descriptor = openSync(device, 'w');
  const child = spawn(process.execPath, [programFile, ...words.split(' ')], {
    cwd: machine.folder,
    env: { PATH: process.env['PATH'], SVC_HOME: machine.home, HOME: machine.home, SVC_ANALYTICS: 'off' },
    stdio: ['ignore', streams.includes(1) ? descriptor : 'pipe', streams.includes(2) ? descriptor : 'pipe'],
  });
  closeSync(descriptor);
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (written += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, written };
}

test.each(['--version', '--help', 'report list', 'report show', 'export --output -', SCAN])(
  '%s fails, with one line that says why, where its output finds no space',
  async (words) => {
    const { code, written } = await svcAt('/dev/full', words, [1]);
    expect(code).toBe(exitCodes.failed);
    expect(written.match(/^✗ .*$/gm)).toEqual([`✗ ${NO_SPACE}`]);
    expect(written).not.toMatch(/ENOSPC|\.mjs|node:/);
  },
);

test.each(['--version --json', 'report show --json', `${SCAN} --json`])(
  '%s says so in one value, on the stream that is left',
  async (words) => {
    const { code, written } = await svcAt('/dev/full', words, [1]);
    expect(code).toBe(exitCodes.failed);
    expect(jsonOf(written)).toMatchObject({ error: { reason: 'failed', message: NO_SPACE } });
  },
);

test('a command that failed for a reason of its own keeps its exit code', async () => {
  const { code, written } = await svcAt('/dev/full', 'whoami --json', [1]);
  expect(code).toBe(exitCodes.unauthenticated);
  expect(jsonOf(written)).toMatchObject({ error: { message: NO_SPACE } });
});

test.each([
  ['notes alone', [2]],
  ['all that it says', [1, 2]],
] as const)('a scan whose %s is lost goes on to its end, and fails', async (_, streams) => {
  const before = await reportCount();
  const { code, written } = await svcAt('/dev/full', `${SCAN} --json --sarif missing.sarif`, streams);
  expect(code).toBe(exitCodes.rejected);
  expect(written).not.toMatch(/ENOSPC|\.mjs|node:/);
  expect(await svcAt('/dev/full', SCAN, streams)).toMatchObject({ code: exitCodes.failed });
  expect(await reportCount()).toBe(before + 1);
});

test.each(['/dev/null', '/dev/zero'])('%s takes whatever it is given', async (device) => {
  expect(await svcAt(device, SCAN, [1, 2])).toEqual({ code: 0, written: '' });
});

async function reportCount(): Promise<number> {
  const { stdout } = await machine.svc(['report', 'list', '--all', '--json']);
  return (jsonOf(stdout) as { reports: unknown[] }).reports.length;
}
