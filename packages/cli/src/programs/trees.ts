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
 * @param roots folders that the command works on, with or without a repository. The current folder is always added, unless a
 * person's own programs would be in it: a home folder, a folder above it, and a home folder that is a repository.
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
