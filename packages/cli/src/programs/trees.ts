/**
 * The folders that strangers may have written: the scanned repository, and the current one. Nothing in them is started,
 * whatever PATH contains.
 */
import os from 'node:os';
import { isWithin, outermostRepository, realFolderOf } from '../files/paths.ts';

/**
 * The real folders, each extended to the outermost repository around it: a `.svc.json` or `.git` in a subfolder must not
 * exclude the `node_modules/.bin` above it.
 *
 * @param roots folders that the command works on, with or without a repository. The current folder is added, unless it
 * is the home folder or a folder above it, where a person's own programs may be.
 */
export async function treesAround(...roots: readonly string[]): Promise<string[]> {
  const home = await realFolderOf(os.homedir());
  const here = await realFolderOf(process.cwd());
  const real = await Promise.all(roots.map(realFolderOf));
  if (!isWithin(here, home)) real.push(here);
  const trees = real.map((folder) => outermostRepository(folder, home) ?? folder);
  return [...new Set(trees)];
}

export function isWithinAny(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => isWithin(folder, file));
}
