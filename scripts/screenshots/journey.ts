/** Screenshots of each step of a customer's journey on a phone, which the test of that journey takes. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, '.cache/screenshots');

/** @throws Error if the test fails; the screenshots up to its failure are written. */
export function takeJourney(): void {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  execFileSync(process.execPath, [vitest, 'run', 'customer-journey'], {
    cwd: root,
    env: { ...process.env, SVC_TEST_SCREENSHOTS: folder },
    stdio: 'inherit',
  });
  for (const name of fs.readdirSync(folder).toSorted())
    console.log(path.relative(process.cwd(), path.join(folder, name)));
}
