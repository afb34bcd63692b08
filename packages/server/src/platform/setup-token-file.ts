/**
 * The file from which the operator reads the setup token. Only its owner can read it, and a link in its place is never
 * followed.
 */
import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '#start-error';

export interface SetupTokenFile {
  readonly path: string;
  /**
   * Writes the token to the file if needed, and returns whether it did so.
   * @throws StartError when the file can't be written.
   */
  write(token: string): boolean;
  /** Deletes the file. Returns whether it existed. */
  remove(): boolean;
}

export function createSetupTokenFile(path: string): SetupTokenFile {
  return {
    path,
    write(token) {
      const text = `${token}\n`;
      try {
        if (holds(path, text)) return false;
        remove(path);
        writeNew(path, text);
        return true;
      } catch (error) {
        throw new StartError(
          `The setup token file ${path} can't be written (${(error as Error).message}). Make its folder writable, or set SVC_SETUP_TOKEN.`,
          { cause: error },
        );
      }
    },
    remove: () => remove(path),
  };
}

function holds(path: string, text: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size !== text.length) return false;
  const isPrivate = process.platform === 'win32' || (found.mode & 0o077) === 0;
  return isPrivate && readFileSync(path, 'utf8') === text;
}

function writeNew(path: string, text: string): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncFolder(path);
}

function remove(path: string): boolean {
  if (!lstatSync(path, { throwIfNoEntry: false })) return false;
  rmSync(path);
  syncFolder(path);
  return true;
}

/** Without this, a power cut could undo the creation or the deletion. */
function syncFolder(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
