/**
 * Writes Brotli and gzip versions beside each text file that is large enough. The server then need not compress at run
 * time.
 */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSED = /\.(?:js|css|svg|json|txt)$/;
/** Compression saves too little for smaller files. */
const BYTES_MIN = 1024;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

export function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => name.startsWith('assets/') && COMPRESSED.test(name));
      await Promise.all(names.map((name) => compress(path.join(dir, name))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const bytes = await fs.readFile(file);
  if (bytes.length < BYTES_MIN) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await fs.writeFile(`${file}.br`, await brotli(bytes, { params }));
  await fs.writeFile(`${file}.gz`, await gzipped(bytes, { level: 9 }));
}
