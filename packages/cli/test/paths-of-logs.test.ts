/** Logs that were written in a container or on another machine: their paths are matched with the files of this checkout. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { CanonicalReport } from '@svc/report';
import { initRepository, writeFiles } from './repository.ts';
import { sarifOf } from './sarif-results.ts';
import { createMachine, jsonOf, type Machine } from './svc.ts';

let machine: Machine;
beforeEach(async () => {
  machine = await createMachine();
  initRepository(machine.folder);
  writeFiles(machine.folder, {
    'src/app/read.js': '',
    'src/app/write.js': '',
    'one/index.js': '',
    'two/index.js': '',
    'one/src/index.js': '',
    'two/src/index.js': '',
    'main.js': '',
  });
  return () => machine[Symbol.asyncDispose]();
});

function logOf(name: string, ...files: readonly string[]): void {
  writeFileSync(
    path.join(machine.folder, name),
    sarifOf(files.map((file) => ({ file, level: 'error' as const }))),
  );
}

test('svc scan --sarif finds the files, and reports paths that match several files', async () => {
  logOf(
    'linter.sarif',
    '/agent/src/app/read.js',
    '/agent/src/app/write.js',
    '/agent/main.js',
    'C:\\ci\\src\\index.js',
  );
  const scanned = await machine.svc('scan . --only secrets --sarif linter.sarif --no-sync --json'.split(' '));
  expect(scanned.code).toBe(0);
  const { limitations } = jsonOf(scanned.stdout) as { limitations: string[] };
  expect(limitations.join('\n')).toContain('1 path of Linter matches several files of the checkout');
  const shown = await machine.svc(['report', 'show', '--json']);
  const { findings } = jsonOf(shown.stdout) as CanonicalReport;
  expect(findings.map(({ affected }) => affected.file)).toEqual([
    'src/app/read.js',
    'src/app/write.js',
    'main.js',
    '[outside]/index.js',
  ]);
});

test('svc compare matches logs of two machines', async () => {
  logOf('here.sarif', 'src/app/read.js');
  writeFileSync(
    path.join(machine.folder, 'there.sarif'),
    sarifOf([{ file: 'src/app/read.js', level: 'error' }]).replace(
      '"uri":"src/app/read.js"',
      '"uri":"file:///builds/42/src/app/read.js"',
    ),
  );
  const compared = await machine.svc(['compare', 'here.sarif', '--baseline', 'there.sarif', '--json']);
  expect(jsonOf(compared.stdout)).toMatchObject({
    new: [],
    fixed: [],
    unchanged: [{ place: 'src/app/read.js:3' }],
  });
});
