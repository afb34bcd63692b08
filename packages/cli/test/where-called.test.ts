/** What a command makes of the folder it is called in: which report it means, and what is said of a folder that is no repository. */
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

test('a report of the folder around a repository is not taken for the report of the repository', async () => {
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

test('that a folder is no repository is said before all of it is scanned', async () => {
  await using machine = await createMachine();
  const inner = repositoryIn(machine, 'inner');
  const words = 'is in no git repository: the whole folder is scanned.';
  expect((await machine.svc(SCAN)).stderr).toContain(words);
  expect((await machine.svc([...SCAN, '--json'])).stderr).toBe('');
  expect((await machine.svc(SCAN, {}, inner)).stderr).not.toContain(words);
});

test('what an import warns of is said once, with what to do', async () => {
  await using machine = await createMachine();
  const inner = repositoryIn(machine, 'inner');
  await writeFile(path.join(inner, 'linter.sarif'), sarifOf([{ file: '/elsewhere/a.js', level: 'error' }]));
  const { stdout } = await machine.svc([...SCAN, '--sarif', 'linter.sarif'], {}, inner);
  expect(stdout.match(/run the scanner in the repository/g)).toHaveLength(1);
});
