/** Questions about what lies at a path. Nothing is opened here. */
import { lstatSync, realpathSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';

/** Without following a link: one that leads nowhere is there. */
export function isThere(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}

/** What a link leads to counts. */
export async function kindOf(place: string): Promise<'file' | 'folder' | 'other' | undefined> {
  const found = await fs.stat(place).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : 'other';
}

/** With every link resolved. @throws the system's error when the path leads nowhere. */
export function realPath(place: string): Promise<string> {
  return fs.realpath(place);
}

export function realPathSync(place: string): string {
  return realpathSync(place);
}

/** With every link resolved; a path that leads nowhere comes back absolute. */
export function realFolderOf(folder: string): Promise<string> {
  return fs.realpath(folder).catch(() => path.resolve(folder));
}

/** @throws the system's error when it cannot be written. */
export function requireWritable(folder: string): Promise<void> {
  return fs.access(folder, fs.constants.W_OK);
}

/** Both absolute and real. A folder is within itself. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}

const MARKS = ['.git', '.svc.json'];

/**
 * The outermost repository around a folder; undefined when there is none. A home folder that is a repository does not
 * count, nor does what contains it.
 */
export function outermostRepository(folder: string, home: string): string | undefined {
  let outermost: string | undefined;
  for (let at = folder; at !== home && at !== path.dirname(at); at = path.dirname(at)) {
    if (MARKS.some((name) => isThere(path.join(at, name)))) outermost = at;
  }
  return outermost;
}
