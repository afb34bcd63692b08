/** Output to a full device: a loss is reported, at least by the exit code, and never as a crash. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { builtProgram, createMachine, heard, jsonOf, type Machine } from './svc.ts';
import { plainEnvironment } from './tools.ts';

const NO_SPACE = 'The output could not be written: no space is left.';
const SCAN = 'scan . --only secrets --no-sync';

let machine: Machine;
beforeAll(async () => {
  machine = await createMachine('http://127.0.0.1:9');
  await writeFile(path.join(machine.folder, 'notes.txt'), 'nothing of interest\n');
  await machine.svc(SCAN.split(' '));
});
afterAll(() => machine[Symbol.asyncDispose]());

/** Runs svc with one of its streams, or both, on a device. */
async function svcAt(device: string, words: string, streams: readonly (1 | 2)[]) {
  const descriptor = openSync(device, 'w');
  const child = spawn(process.execPath, [builtProgram(), ...words.split(' ')], {
    cwd: machine.folder,
    env: { ...plainEnvironment, SVC_HOME: machine.home, HOME: machine.home, SVC_ANALYTICS: 'off' },
    stdio: ['ignore', streams.includes(1) ? descriptor : 'pipe', streams.includes(2) ? descriptor : 'pipe'],
  });
  closeSync(descriptor);
  const { code, stdout, stderr } = await heard(child).ended;
  return { code, written: stdout + stderr };
}

test.each(['--version', SCAN])(
  '%s fails, with one line that says why, if there is no space for its output',
  async (words) => {
    const { code, written } = await svcAt('/dev/full', words, [1]);
    expect(code).toBe(exitCodes.failed);
    expect(written.match(/^✗ .*$/gm)).toEqual([`✗ ${NO_SPACE}`]);
    expect(written).not.toMatch(/ENOSPC|\.mjs|node:/);
  },
);

test('a command that failed for another reason keeps its exit code, and reports the lost output in one value', async () => {
  const { code, written } = await svcAt('/dev/full', 'whoami --json', [1]);
  expect(code).toBe(exitCodes.unauthenticated);
  expect(jsonOf(written)).toMatchObject({ error: { reason: 'failed', message: NO_SPACE } });
});

test('a scan whose output is lost continues to its end, and fails', async () => {
  const before = await reportCount();
  expect(await svcAt('/dev/full', SCAN, [1, 2])).toEqual({ code: exitCodes.failed, written: '' });
  expect(await reportCount()).toBe(before + 1);
});

test('/dev/null accepts everything', async () => {
  expect(await svcAt('/dev/null', SCAN, [1, 2])).toEqual({ code: 0, written: '' });
});

async function reportCount(): Promise<number> {
  const { stdout } = await machine.svc(['report', 'list', '--all', '--json']);
  return (jsonOf(stdout) as { reports: unknown[] }).reports.length;
}
