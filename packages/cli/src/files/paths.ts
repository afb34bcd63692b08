/** Checks on paths. Nothing is opened here. */
import { lstatSync, realpathSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';

/** Does not follow links, so a dangling link counts as existing. */
export function isThere(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}

/** What is at a path, after following links; undefined if there is nothing or it cannot be read. */
export async function kindOf(place: string): Promise<'file' | 'folder' | 'other' | undefined> {
  const found = await fs.stat(place).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : 'other';
}

/**
 * Whether nothing is at a path, whether or not its folder exists. A dangling link, a loop of links, a name that is too long
 * and an unreadable folder do not count as absent.
 */
export async function isAbsent(place: string): Promise<boolean> {
  const found = await fs.lstat(place).catch(codeOf);
  if (found !== 'ENOENT') return false;
  const folder = path.dirname(path.resolve(place));
  const around = await fs.stat(folder).catch(codeOf);
  if (typeof around === 'object') return around.isDirectory();
  return around === 'ENOENT' && isAbsent(folder);
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}

/**
 * The path with every link resolved.
 * @throws the system's error for a path that does not exist.
 */
export function realPath(place: string): Promise<string> {
  return fs.realpath(place);
}

export function realPathSync(place: string): string {
  return realpathSync(place);
}

/** The path with every link resolved; a path that does not exist is returned as an absolute one. */
export function realFolderOf(folder: string): Promise<string> {
  return fs.realpath(folder).catch(() => path.resolve(folder));
}

/** @throws the system's error when the folder is not writable. */
export function requireWritable(folder: string): Promise<void> {
  return fs.access(folder, fs.constants.W_OK);
}

/** Both paths must be absolute, with all links resolved. A folder is within itself. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}

const MARKS = ['.git', '.svc.json'];

/**
 * The outermost repository around a folder; undefined when there is none. A home folder that is a repository does not count,
 * nor does any folder above it.
 */
export function outermostRepository(folder: string, home: string): string | undefined {
  let outermost: string | undefined;
  for (let at = folder; at !== home && at !== path.dirname(at); at = path.dirname(at)) {
    if (MARKS.some((name) => isThere(path.join(at, name)))) outermost = at;
  }
  return outermost;
}

/** Whether the folder or one above it is the top of a git repository. The path must be absolute, with all links resolved. */
export function isInGitRepository(folder: string): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    if (isThere(path.join(at, '.git'))) return true;
    if (at === path.dirname(at)) return false;
  }
}
