/** Files of the program that another build wrote: one line says so and what to do, and nothing is changed. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { initRepository, writeFiles } from './repository.ts';
import { createMachine, type Machine } from './svc.ts';

const SCAN = ['scan', '--only', 'secrets', '--no-sync'];
const containing = (content: string) => (file: string) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
};

/** The tables of this build under the same version, with one more column. */
function otherStore(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(
    `ALTER TABLE reports ADD COLUMN more TEXT; UPDATE schema_digest SET sha256 = '${'0'.repeat(64)}'`,
  );
  database.close();
}

async function scannedMachine(): Promise<Machine> {
  const machine = await createMachine();
  writeFiles(machine.folder, { 'src/index.js': 'export const one = 1;\n' });
  initRepository(machine.folder);
  expect(await machine.svc(SCAN)).toMatchObject({ code: 0 });
  return machine;
}

test.each([
  ['The local store ', 'data/reports.sqlite', otherStore, SCAN],
  ['The key ', 'data/fingerprint.key', containing('v2:0123\n'), SCAN],
  ['', 'config/service.json', containing('{"services": []}'), ['whoami']],
  ['', 'config/analytics.json', containing('{"choice": "off"}'), ['analytics', 'status']],
] as const)('%s%s is rejected by one line and unchanged', async (what, name, change, words) => {
  await using machine = await scannedMachine();
  // The variable would decide without the file.
  const svc = (given: readonly string[]) => machine.svc(given, { SVC_ANALYTICS: '' });
  const file = path.join(machine.home, name);
  change(file);
  const before = readFileSync(file);
  const sentence = `${what}${file} was written by another build of svc. Move it away or delete it, then run the command again.`;
  expect(await svc(words)).toEqual({ code: 1, stdout: '', stderr: `✗ ${sentence}\n` });
  const { stdout } = await svc([...words, '--json']);
  expect(JSON.parse(stdout)).toEqual({ error: { reason: 'failed', message: sentence } });
  expect(readFileSync(file).equals(before)).toBe(true);
  rmSync(file);
  expect((await svc(words)).stderr).not.toContain('another build');
});
