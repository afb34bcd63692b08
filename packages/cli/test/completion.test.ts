/** Completion by bash itself, with the program that it asks for ids. Skipped without bash. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, afterAll, expect, test } from 'vitest';
import { sarifOf } from './sarif-results.ts';
import { builtProgram, createMachine, jsonOf, type Machine } from './svc.ts';

const shells = (process.env['PATH'] ?? '').split(path.delimiter);
const bash = shells.map((folder) => path.join(folder, 'bash')).find((file) => existsSync(file));
const canBeTried = bash !== undefined && spawnSync(bash, ['--version']).status === 0;

let machine: Machine;
let script: string;
let reportId: string;

beforeAll(async () => {
  machine = await createMachine();
  await writeFile(
    path.join(machine.folder, 'linter.sarif'),
    sarifOf([
      { file: 'src/a.js', level: 'note' },
      { file: 'src/b.js', level: 'error' },
    ]),
  );
  const scan = ['scan', '--only', 'secrets', '--sarif', 'linter.sarif', '--no-sync', '--json'];
  reportId = (jsonOf((await machine.svc(scan)).stdout) as { localReportId: string }).localReportId;
  script = (await machine.svc(['completion', 'bash'])).stdout;
  const program = path.join(machine.home, 'svc');
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${builtProgram()}' "$@"\n`);
  await chmod(program, 0o755);
});
afterAll(() => machine[Symbol.asyncDispose]());

/** The completions of the last word. */
function offered(...words: readonly string[]): string[] {
  const ask = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync(bash ?? '', ['--norc', '-c', ask, 'bash', 'svc', ...words], {
    encoding: 'utf8',
    cwd: machine.folder,
    env: {
      PATH: [machine.home, process.env['PATH'] ?? ''].join(path.delimiter),
      HOME: machine.home,
      SVC_HOME: machine.home,
    },
  });
  return text.split('\n').filter((line) => line !== '');
}

test.skipIf(!canBeTried)('bash completes values, including ids from the local store', () => {
  expect(offered('report', 'show', '--report', '')).toEqual([reportId]);
  expect(offered('report', 'show', '--report', '=', reportId.slice(0, 5))).toEqual([reportId]);
  expect(offered('finding', 'show', '')).toEqual(['F-2', 'F-1']);
  expect(offered('finding', 'show', '--report', reportId, 'F-1')).toEqual(['F-1']);
  expect(offered('finding', 'show', '--report', 'none', '')).toEqual([]);
  expect(offered('finding', 'status', 'F-1', 'acc')).toEqual(['accepted_risk']);
  expect(offered('compare', '--baseline', '')).toEqual([reportId, 'linter.sarif']);
  expect(offered('scan', '--only', 'secrets,sem')).toEqual(['secrets,semgrep']);
  expect(offered('scan', '--sarif', 'one.sarif,li')).toEqual(['one.sarif,linter.sarif']);
  expect(offered('scan', '--effort', 'h')).toEqual(['high']);
  expect(offered('scan', '--fail-on', 'cr')).toEqual(['critical']);
  expect(offered('export', '--format', 's')).toEqual(['sarif']);
  expect(offered('auth', '')).toEqual(['login', 'logout', 'status']);
  expect(offered('__')).toEqual([]);
});

test('values are looked up without creating a store, and failures are silent', async () => {
  await using fresh = await createMachine();
  for (const kind of ['reports', 'findings'])
    expect(await fresh.svc(['__complete', kind, '--', 'finding', 'show', ''])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  expect(existsSync(path.join(fresh.home, 'data'))).toBe(false);
  expect((await machine.svc(['__complete', 'findings', '--', 'finding', 'show'])).stdout).toMatch(
    /^F-2\thigh: .*\nF-1\tlow: .*\n$/,
  );
});
