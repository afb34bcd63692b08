/**
 * How a command uses the current folder: which report it means, and the message for a folder that is not in a repository.
 */
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { initRepository, writeFiles } from './repository.ts';
import { sarifOf } from './sarif-results.ts';
import { createMachine, type Machine } from './svc.ts';

const SCAN = ['scan', '.', '--only', 'secrets', '--no-sync'];

function repositoryIn({ folder }: Machine, name: string): string {
  const inner = path.join(folder, name);
  mkdirSync(inner);
  writeFiles(inner, { 'src/index.js': 'export const one = 1;\n' });
  initRepository(inner);
  return inner;
}

test('a report of the folder around a repository is not used as the repository’s report', async () => {
  await using machine = await createMachine();
  const inner = repositoryIn(machine, 'inner');
  expect(await machine.svc(SCAN)).toMatchObject({ code: 0 });
  for (const words of [['finding', 'list'], ['report', 'show'], ['export'], ['watch']]) {
    const ended = await machine.svc(words, {}, inner);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('There is no report of this repository');
  }
  expect(await machine.svc(['finding', 'list'])).toMatchObject({ code: 0 });
  expect(await machine.svc(SCAN, {}, inner)).toMatchObject({ code: 0 });
  expect(await machine.svc(['finding', 'list'], {}, path.join(inner, 'src'))).toMatchObject({ code: 0 });
});

test('a folder outside of a repository is announced before all of it is scanned', async () => {
  await using machine = await createMachine();
  const inner = repositoryIn(machine, 'inner');
  const words = 'is not in a git repository: the whole folder is scanned.';
  expect((await machine.svc(SCAN)).stderr).toContain(words);
  expect((await machine.svc([...SCAN, '--json'])).stderr).toBe('');
  expect((await machine.svc(SCAN, {}, inner)).stderr).not.toContain(words);
});

test('warnings of an import are printed once, with what to do', async () => {
  await using machine = await createMachine();
  const inner = repositoryIn(machine, 'inner');
  await writeFile(path.join(inner, 'linter.sarif'), sarifOf([{ file: '/elsewhere/a.js', level: 'error' }]));
  const { stdout } = await machine.svc([...SCAN, '--sarif', 'linter.sarif'], {}, inner);
  expect(stdout.match(/run the scanner in the repository/g)).toHaveLength(1);
});
