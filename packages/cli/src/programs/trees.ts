/**
 * The folders whose authors are strangers: the scanned repository, and the one that the command was called in. Nothing in
 * them is started, whatever PATH names.
 */
import os from 'node:os';
import { isWithin, outermostRepository, realFolderOf } from '../files/places.ts';

/**
 * The real folders, each as the outermost repository around it: a `.svc.json` or `.git` in a subfolder must not leave the
 * `node_modules/.bin` above it outside.
 *
 * @param roots folders that are worked on, with or without a repository. The current folder is always added, except where
 *   a person's own programs would be in it: a home folder, what contains one, and a home folder that is a repository.
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
