/** The arguments of `svc scan` are checked before anything is begun: names of scanners, and results written before. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { scannerNames } from '../src/scanners/index.ts';
import { createMachine, jsonOf } from './svc.ts';

const SCAN = ['scan', '.', '--only', 'secrets', '--no-sync'];

test('an unknown scanner is a usage error, and leaves no report behind', async () => {
  await using machine = await createMachine();
  const rejected = await machine.svc(['scan', '.', '--only', 'zz', '--no-sync']);
  expect(rejected).toMatchObject({ code: exitCodes.usage, stdout: '' });
  expect(rejected.stderr).toContain('There is no scanner called "zz".');
  expect(rejected.stderr).toContain(`Choose from ${scannerNames.join(', ')}.`);
  expect(jsonOf((await machine.svc(['report', 'list', '--json'])).stdout)).toMatchObject({ reports: [] });
});

test('a log that cannot be imported leaves no report behind', async () => {
  await using machine = await createMachine();
  await writeFile(path.join(machine.folder, 'broken.sarif'), '{"version": "2.1.0", runs: []}');
  const rejected = await machine.svc([...SCAN, '--sarif', 'broken.sarif']);
  expect(rejected).toMatchObject({ code: exitCodes.rejected, stdout: '' });
  expect(rejected.stderr).toContain('broken.sarif cannot be imported.');
  expect(jsonOf((await machine.svc(['report', 'list', '--json'])).stdout)).toMatchObject({ reports: [] });
});
