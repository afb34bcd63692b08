// Bundles the pages into packages/web/dist: what browsers load, compressed, with the manifest by which the server finds it.
import path from 'node:path';
import { build } from 'vite';
import { root, writeStamp } from './build-stamp.ts';

const outputFolder = path.join(root, 'packages/web/dist');

// Not loaded by a page, but they decide what it loads.
const alsoInputs = [
  'package-lock.json',
  'scripts/build-web.ts',
  'scripts/build-stamp.ts',
  'packages/web/package.json',
  'packages/web/vite.config.ts',
  'packages/web/src/ui/tokens.ts',
  'packages/client/package.json',
  'packages/contract/package.json',
];

export async function buildWeb(): Promise<void> {
  const startedMs = Date.now();
  const inputs = new Set<string>();
  await build({
    configFile: path.join(root, 'packages/web/vite.config.ts'),
    logLevel: 'warn',
    plugins: [
      {
        name: 'list-inputs',
        generateBundle() {
          for (const id of this.getModuleIds()) inputs.add(path.relative(root, id.replace(/\?.*$/, '')));
        },
      },
    ],
  });
  writeStamp(
    outputFolder,
    [...inputs].filter((file) => !file.startsWith('..')),
    alsoInputs,
    startedMs,
  );
  console.error(`Built the pages in ${Date.now() - startedMs} ms.`);
}
