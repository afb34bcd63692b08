/**
 * The folders whose authors are strangers: the scanned repository, and the one that the command was called in. Nothing in
 * them is started, whatever PATH names.
 */
import os from 'node:os';
import path from 'node:path';
import { isThere, realFolderOf } from '../files/places.ts';

const MARKS = ['.git', '.svc.json'];

/**
 * The real folders, each as the outermost repository around it: a `.svc.json` or `.git` in a subfolder must not leave the
 * `node_modules/.bin` above it outside.
 *
 * @param roots folders that are worked on, with or without a repository. The current folder is always added, except where
 *   a person's own programs would be in it: a home folder, what contains one, and a home folder that is a repository.
 */
export async function treesAround(...roots: readonly string[]): Promise<string[]> {
  const [home, here, ...real] = await Promise.all([os.homedir(), process.cwd(), ...roots].map(realFolderOf));
  const trees = real.map((root) => outermostRepository(root, home!));
  if (!isWithin(here!, home!)) trees.push(outermostRepository(here!, home!));
  return [...new Set(trees)];
}

function outermostRepository(folder: string, home: string): string {
  let outermost = folder;
  for (let current = folder; current !== home && current !== path.dirname(current); current = path.dirname(current)) {
    if (MARKS.some((name) => isThere(path.join(current, name)))) outermost = current;
  }
  return outermost;
}

/** Both absolute and real. A folder is within itself. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}

export function isWithinAny(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => isWithin(folder, file));
}
