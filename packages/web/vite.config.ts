// Builds the assets of the pages. The server renders the documents, from the manifest of this build.
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { chunkGroups } from './build/chunks.ts';
import { compiledChecks } from './build/compiled-checks.ts';
import { compressAssets } from './build/compress.ts';
import { tokensCss } from './build/tokens-css.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tailwindcss(), tokensCss(), compressAssets()],
  worker: { plugins: () => [compiledChecks()] },
  // Sources and libraries import React. Browsers load Preact instead, which is much smaller.
  resolve: {
    alias: [
      { find: /^react(?:-dom)?$/, replacement: 'preact/compat' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
    ],
  },
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
      // Disables warnings about slow plugins, which depend on the load of the machine, and about directives of libraries
      // for rendering on a server.
      checks: { bundlerTimings: false, moduleLevelDirective: false },
      output: { codeSplitting: { groups: chunkGroups() } },
      input: {
        app: path.join(import.meta.dirname, 'src/app.tsx'),
        early: path.join(import.meta.dirname, 'src/early.ts'),
        share: path.join(import.meta.dirname, 'src/share.tsx'),
      },
    },
  },
});
