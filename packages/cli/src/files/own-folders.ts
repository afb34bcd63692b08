/**
 * The program's own folders. Links on their paths are rejected where they would let a repository, or another user,
 * choose where files are read and written.
 */
import { lstatSync, mkdirSync, type Stats } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CliError } from '../errors.ts';
import { isWithin, outermostRepository } from './paths.ts';

/**
 * Creates a folder for its owner only, with all missing parents.
 * @throws CliError for a forbidden link on the path.
 */
export function makeFolder(folder: string): void {
  rejectLinks(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/**
 * Links above the program's own folder are the person's choice, such as a `~/.config` elsewhere, unless they are in a
 * repository or belong to another user.
 *
 * @throws CliError that names the link.
 */
export function rejectLinks(folder: string): void {
  const own = ownFolderAround(folder);
  for (let at = path.resolve(folder); at !== path.dirname(at); at = path.dirname(at)) {
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() !== true) continue;
    if ((own !== undefined && isWithin(own, at)) || isOfAnotherUser(found) || isInRepository(at))
      throw linked(at);
  }
}

/** @throws when others can write to the folder, or it belongs to another user. */
export function rejectSharedFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const { uid, mode } = lstatSync(folder);
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error(`Others can write to ${folder}.`);
}

/** `svc` in the folders of the system, or the folder in SVC_HOME. */
function ownFolderAround(folder: string): string | undefined {
  const chosen = process.env['SVC_HOME'];
  if (chosen && isWithin(path.resolve(chosen), path.resolve(folder))) return path.resolve(chosen);
  for (let at = path.resolve(folder); at !== path.dirname(at); at = path.dirname(at)) {
    if (path.basename(at) === 'svc') return at;
  }
  return undefined;
}

function isOfAnotherUser({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own && uid !== 0;
}

function isInRepository(link: string): boolean {
  return outermostRepository(path.dirname(link), os.homedir()) !== undefined;
}

function linked(folder: string): CliError {
  return new CliError('failed', `${folder} is a symbolic link. svc does not follow links to its own files.`, {
    hint: 'Replace the link with a folder, or name the folder it leads to in SVC_HOME.',
  });
}
