/** Small files for their owner alone. A reader sees the old content or the new one, also after a power cut. */
import { open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from './folders.ts';
import { replaceFile } from './replace-file.ts';

export async function writePrivateFile(file: string, content: string | Uint8Array): Promise<void> {
  const folder = path.dirname(file);
  makeFolder(folder);
  await replaceFile(file, content, 0o600);
  await syncFolder(folder);
}

/** Makes an empty one where there is none. */
export async function touchPrivateFile(file: string): Promise<void> {
  makeFolder(path.dirname(file));
  const handle = await open(file, 'a', 0o600);
  await handle.close();
}

/** Null when there is none. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** False when there was none. */
export async function removeIfThere(file: string): Promise<boolean> {
  try {
    await rm(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  await syncFolder(path.dirname(file));
  return true;
}

/** What was renamed or removed in it stays so after a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows can not open a folder; there the rename is all there is.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
