import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const SOURCES = new URL('..', import.meta.url).pathname;

function run(program: string, ...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${SOURCES}${program}`, ...options], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test.for([
  ['main.ts', 'Suites: start, help'],
  ['faults/main.ts', 'Faults: kill, syscalls'],
  ['fuzz/main.ts', '--requests <count>'],
])('%s explains its options', ([program = '', excerpt]) => {
  const { status, stdout, stderr } = run(program, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(excerpt);
});

test.for([
  ['main.ts --none', "Unknown option '--none'. Use --help to list all options."],
  ['main.ts --only none', 'No such suite: none. There are: start, help'],
  ['main.ts --against none', '--against none: there is no such file or folder.'],
  ['faults/main.ts --only none', 'No such fault: none. Choose from: kill, syscalls'],
  ['faults/main.ts --cycles many', '--cycles must be a whole number, not "many".'],
  [
    'fuzz/main.ts --requests',
    "Option '--requests <value>' argument missing. Use --help to list all options.",
  ],
  ['fuzz/main.ts --seed -1', "Option '--seed' argument is ambiguous.\nDid you forget"],
])('%s is rejected with the reason', ([words = '', reason = '']) => {
  const [program = '', ...options] = words.split(' ');
  const { status, stdout, stderr } = run(program, ...options);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr.startsWith(reason)).toBe(true);
  expect(stderr).not.toMatch(/^ +at /m);
});
