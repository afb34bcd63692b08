/** What `svc scan` is told to use is looked at before anything is begun: names of scanners, and results that they wrote before. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { scannerNames } from '../src/scanners/index.ts';
import { createMachine, jsonOf } from './svc.ts';

const SCAN = ['scan', '.', '--only', 'secrets', '--no-sync'];

test('the name of no scanner is a mistake in the command line, and leaves no report behind', async () => {
  await using machine = await createMachine();
  const refused = await machine.svc(['scan', '.', '--only', 'zz', '--no-sync']);
  expect(refused).toMatchObject({ code: exitCodes.usage, stdout: '' });
  expect(refused.stderr).toContain('There is no scanner called "zz".');
  expect(refused.stderr).toContain(`Choose from ${scannerNames.join(', ')}.`);
  expect(jsonOf((await machine.svc(['report', 'list', '--json'])).stdout)).toMatchObject({ reports: [] });
});

test('a log that can not be taken in leaves no report behind', async () => {
  await using machine = await createMachine();
  await writeFile(path.join(machine.folder, 'broken.sarif'), '{"version": "2.1.0", "runs": [');
  const refused = await machine.svc([...SCAN, '--sarif', 'broken.sarif']);
  expect(refused).toMatchObject({ code: exitCodes.rejected, stdout: '' });
  expect(refused.stderr).toContain('broken.sarif can not be imported.');
  expect(jsonOf((await machine.svc(['report', 'list', '--json'])).stdout)).toMatchObject({ reports: [] });
});

test('a log in which no scanner has run passes no gate, and is told of without one', async () => {
  await using machine = await createMachine();
  await writeFile(path.join(machine.folder, 'empty.sarif'), '{"version": "2.1.0", "runs": []}');
  const gated = await machine.svc([...SCAN, '--sarif', 'empty.sarif', '--fail-on', 'critical']);
  expect(gated).toMatchObject({ code: exitCodes.rejected, stdout: '' });
  expect(gated.stderr).toContain('empty.sarif holds no run, so no gate can rely on it.');
  expect(jsonOf((await machine.svc(['report', 'list', '--json'])).stdout)).toMatchObject({ reports: [] });

  const scanned = await machine.svc([...SCAN, '--sarif', 'empty.sarif']);
  expect(scanned).toMatchObject({ code: 0 });
  expect(scanned.stdout).toContain('the scanner may not have run to its end');
});
