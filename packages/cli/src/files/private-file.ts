/** Small files for their owner only. A reader sees the old content or the new one, even after a power cut. */
import { open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { readOwn, requireOwn, touchOwn } from './own-file.ts';
import { makeFolder, rejectLinks } from './own-folders.ts';
import { replaceFile } from './replace-file.ts';

export async function writePrivateFile(file: string, content: string | Uint8Array): Promise<void> {
  const folder = path.dirname(file);
  makeFolder(folder);
  requireOwn(file);
  await replaceFile(file, content, 0o600);
  await syncFolder(folder);
}

/**
 * Replaces a file and keeps its permissions.
 * @throws CliError for anything but a regular file, or the system's error.
 */
export async function replaceOwn(file: string, content: string): Promise<void> {
  requireOwn(file);
  await replaceFile(file, content, (await stat(file)).mode & 0o777);
}

/** Creates an empty file if it does not exist. */
export function touchPrivateFile(file: string): void {
  makeFolder(path.dirname(file));
  touchOwn(file);
}

/** Null when the file does not exist. */
export async function readIfThere(file: string): Promise<string | null> {
  return (await readOwn(file))?.toString() ?? null;
}

/** False when the file did not exist. */
export async function removeIfThere(file: string): Promise<boolean> {
  rejectLinks(path.dirname(file));
  try {
    await rm(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  await syncFolder(path.dirname(file));
  return true;
}

/** Makes renames and deletions in the folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, so the rename must be enough.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
