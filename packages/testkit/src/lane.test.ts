import { readFileSync, globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../../..');

test('every file with tests that do more in the thorough run tags those tests `repeated`', () => {
  const files = globSync('packages/*/{src,test}/**/*.test.ts', { cwd: root });
  const untagged = files.filter((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const doesMore = /\b(?:inLane|someOf)\(/.test(text) && !file.endsWith('.thorough.test.ts');
    return doesMore && !text.includes("tags: 'repeated'");
  });
  expect(untagged).toEqual([]);
});
