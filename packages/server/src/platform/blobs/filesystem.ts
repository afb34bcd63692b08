/** Report bodies as files of one folder. */
import { mkdirSync } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blobs } from './blobs.ts';

/** @param folder made when it is not there; its parent must be. */
export function openFilesystemBlobs(folder: string): Blobs {
  mkdirSync(folder, { mode: 0o700, recursive: true });
  return {
    async check() {
      const probe = join(folder, '.probe');
      const handle = await open(probe, 'w', 0o600);
      try {
        await handle.write('1');
        await handle.sync();
      } finally {
        await handle.close();
      }
      await unlink(probe);
    },
  };
}
