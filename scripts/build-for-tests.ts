// Builds the stale bundles that the tests of a lane use, before the lane runs. The service starts with any build of the
// pages, old or current. Only the tests of the pages need the current one, so the others do not wait for it.
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
