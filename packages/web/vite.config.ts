// Builds the assets of the pages. The server renders the documents, from the manifest of this build.
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups } from './build/chunks.ts';
import { compiledChecks } from './build/compiled-checks.ts';
import { compressAssets } from './build/compress.ts';
import { tokensCss } from './build/tokens-css.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), tokensCss(), compressAssets()],
  worker: { plugins: () => [compiledChecks()] },
  // Nothing is inlined: the Content-Security-Policy has no `data:`.
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Disables warnings about slow plugins, which depend on the load of the machine.
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: chunkGroups() } },
      input: {
        app: path.join(import.meta.dirname, 'src/app.tsx'),
        early: path.join(import.meta.dirname, 'src/early.ts'),
        share: path.join(import.meta.dirname, 'src/share.tsx'),
      },
    },
  },
});
