// Bundles the pages into packages/web/dist: what browsers load, compressed, with the manifest by which the server finds
// it.
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { root, writeStamp } from './build-stamp.ts';
import { writeSbom } from './sbom.ts';

const outputFolder = path.join(root, 'packages/web/dist');

// Files that no page loads, but that decide what the pages load.
const alsoInputs = [
  'package-lock.json',
  'scripts/build-web.ts',
  'scripts/build-stamp.ts',
  'scripts/sbom.ts',
  'packages/web/package.json',
  'packages/web/vite.config.ts',
  'packages/web/build/compiled-checks.ts',
  'packages/web/build/compress.ts',
  'packages/web/build/tokens-css.ts',
  'packages/web/src/ui/tokens.ts',
  'packages/client/package.json',
  'packages/contract/package.json',
  'packages/report/package.json',
];

/** The rules and colours of these files are copied into the style sheet, which the bundler sees as one file. */
const copiedIntoStyles = ['node_modules/tailwindcss/index.css', 'node_modules/@radix-ui/colors/index.js'];

export async function buildWeb(): Promise<void> {
  const startedMs = Date.now();
  const inputs = new Set<string>();
  const bundled = new Set<string>();
  // Vite reads NODE_ENV, which test runners and some shells set to another value.
  process.env['NODE_ENV'] = 'production';
  const pathOf = (id: string) => path.relative(root, id.replace(/\?.*$/, '')).replaceAll(path.sep, '/');
  const listInputs = (): Plugin => ({
    name: 'list-inputs',
    generateBundle(_, bundle) {
      for (const id of this.getModuleIds()) inputs.add(pathOf(id));
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue;
        for (const [id, { renderedLength }] of Object.entries(output.modules))
          if (renderedLength > 0) bundled.add(pathOf(id));
      }
    },
  });
  await build({
    configFile: path.join(root, 'packages/web/vite.config.ts'),
    logLevel: 'warn',
    plugins: [listInputs()],
    // Workers are bundled apart, with plugins of their own.
    worker: { plugins: () => [listInputs()] },
  });
  writeSbom('packages/web', { files: [...bundled, ...copiedIntoStyles], loaded: [] });
  writeStamp(
    outputFolder,
    [...inputs].filter((file) => !file.startsWith('..')),
    alsoInputs,
    startedMs,
  );
  console.error(`Built the pages in ${Date.now() - startedMs} ms.`);
}
