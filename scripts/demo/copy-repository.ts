/**
 * Copies this repository to a folder that a scan may write to: a clone if git is installed, else a copy of the files.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
/** Installed, built and cached files, and the data folder of a service with its key. */
const leftOut = new Set(['node_modules', 'dist', 'data', '.cache', '.git', '.svc.json']);

export async function copyRepository(target: string): Promise<void> {
  try {
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, target], { stdio: 'ignore' });
  } catch {
    await fs.rm(target, { recursive: true, force: true });
    await fs.cp(root, target, {
      recursive: true,
      filter: (source) => source === root || !leftOut.has(path.basename(source)),
    });
  }
}
