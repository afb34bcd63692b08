/** Results from a pipe: imported like those of a file, and a waiting scan can always be stopped. */
import { execFileSync, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { writeFiles } from './repository.ts';
import { sarifOf } from './sarif-results.ts';
import { builtProgram, createMachine, heard, jsonOf, type Machine } from './svc.ts';

const SCAN = ['scan', '.', '--only', 'secrets', '--no-sync'];

let machine: Machine;
beforeEach(async () => {
  machine = await createMachine();
  return () => machine[Symbol.asyncDispose]();
});

function started(program: string, words: readonly string[]) {
  const child = spawn(program, words, {
    cwd: machine.folder,
    env: { PATH: '/usr/bin:/bin', SVC_HOME: machine.home, HOME: machine.home, SVC_ANALYTICS: 'off' },
  });
  // A process that has ended no longer reads.
  child.stdin.on('error', () => undefined);
  return { child, ended: heard(child).ended };
}

async function reports(): Promise<unknown> {
  return (jsonOf((await machine.svc(['report', 'list', '--all', '--json'])).stdout) as { reports: unknown })
    .reports;
}

describe('a scan that waits for its results', () => {
  test.each([
    ['SIGINT', [], ''],
    ['SIGTERM', ['--json'], '"reason": "interrupted"'],
  ] as const)(
    '%s ends it while standard input stays open, and leaves no report behind',
    async (signal, more, said) => {
      const { child, ended } = started(process.execPath, [builtProgram(), ...SCAN, ...more, '--sarif', '-']);
      // More than a pipe buffers: once it is written, the program is reading, and waits for more.
      await new Promise<void>((resolve) => {
        child.stdin.write(`{"version": "2.1.0", "runs": [${' '.repeat(4 * 1024 * 1024)}`, () => resolve());
      });
      child.kill(signal);
      const { code, stdout, stderr } = await ended;
      expect(code).toBe(exitCodes.interrupted);
      expect(stdout).toContain(said);
      expect(stderr).toContain(said === '' ? '✗ Interrupted.' : '');
      expect(await reports()).toEqual([]);
    },
  );

  test.each([
    ['a scan', [...SCAN, '--sarif']],
    ['an export', ['export']],
  ])('%s can also be interrupted while it waits for a named pipe', async (_, words) => {
    const pipe = path.join(machine.folder, 'results.pipe');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const { ended, interrupt } = machine.begin([...words, 'results.pipe']);
    // Opening the pipe for writing succeeds once the program has opened it for reading.
    await using writer = await open(pipe, 'w');
    interrupt();
    expect(await ended).toMatchObject({ code: exitCodes.interrupted, stdout: '' });
    expect(writer.fd).toBeGreaterThan(0);
  });
});

test('results from a shell’s pipes are the same as from a file', async () => {
  writeFiles(machine.folder, {
    'one.sarif': sarifOf([{ file: 'src/one.js', level: 'error' }], 'One'),
    'two.sarif': sarifOf([{ file: 'src/two.js', level: 'error' }], 'Two'),
  });
  const line = '"$0" "$@" --sarif <(cat one.sarif) <(cat two.sarif)';
  const { ended } = started('bash', ['-c', line, process.execPath, builtProgram(), ...SCAN, '--json']);
  const { stdout, ...end } = await ended;
  expect(end).toMatchObject({ code: 0 });
  expect(jsonOf(stdout)).toMatchObject({ summary: { findingCount: 2 } });
});

test('a pipe without end is rejected at 512 MiB', { tags: 'thorough' }, async () => {
  const line = '"$0" "$@" --sarif <(cat /dev/zero)';
  const { ended } = started('bash', ['-c', line, process.execPath, builtProgram(), ...SCAN]);
  const { stderr, ...end } = await ended;
  expect(end).toEqual({ code: exitCodes.rejected, stdout: '' });
  expect(stderr).toContain('is larger than 512 MiB.');
});
