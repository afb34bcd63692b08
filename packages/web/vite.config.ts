// Builds what browsers load. The server makes the documents, from the manifest that this leaves.
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAssets } from './build/compress.ts';
import { tokensCss } from './build/tokens-css.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), tokensCss(), compressAssets()],
  // Nothing is inlined: a policy without `data:` loads files only.
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // How long plugins take is nothing to mend, and would be printed whenever the machine is busy.
      checks: { bundlerTimings: false },
      input: {
        app: path.join(import.meta.dirname, 'src/app.tsx'),
        share: path.join(import.meta.dirname, 'src/share.tsx'),
      },
    },
  },
});
