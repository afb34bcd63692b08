// Before a lane runs: builds the bundles that its tests use, where they are stale. The service needs any build of the
// pages to start; which one matters to the tests of the pages only, so that others need not wait for a new one.
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

const root = path.join(import.meta.dirname, '..');
const isBuilt = (bundle: string) => fs.existsSync(path.join(root, 'packages', bundle, 'dist/.inputs.json'));
const webIfMissing = () => (isBuilt('web') ? [] : ['web']);

const bundlesOf: Readonly<Record<string, () => readonly string[]>> = {
  unit: () => [],
  contract: webIfMissing,
  http: webIfMissing,
  isolated: webIfMissing,
  properties: webIfMissing,
  tagged: () => ['web', 'cli'],
  commands: () => ['cli', ...webIfMissing()],
  pages: () => ['web', 'cli'],
  thorough: () => ['server', 'web', 'cli'],
};

export function setup({ name }: TestProject): void {
  const bundles = bundlesOf[name]?.() ?? [];
  if (bundles.length === 0) return;
  const words = ['scripts/prepare.mjs', ...bundles.map((bundle) => `--build=${bundle}`)];
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`The tests of the lane "${name}" need ${bundles.join(' and ')} built.`);
}
