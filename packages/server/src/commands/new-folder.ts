/** A new folder of private files, which gets its name only when it is complete and on the disk. */
import { existsSync } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '#start-error';

/**
 * @param fill writes into the folder that it is given. After an error no files are left.
 * @throws StartError when the folder cannot be created.
 */
export async function createFolder<Result>(
  folder: string,
  fill: (work: string) => Promise<Result>,
): Promise<Result> {
  const target = path.resolve(folder);
  if (existsSync(target))
    throw new StartError(`${target} already exists. Name a new folder; the command creates it.`);
  if (!existsSync(path.dirname(target)))
    throw new StartError(`There is no folder ${path.dirname(target)}. Create it first.`);
  const work = await mkdtemp(`${target}.new-`);
  try {
    const result = await fill(work);
    await syncFolder(work);
    await rename(work, target);
    await syncFolder(path.dirname(target));
    return result;
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    throw error;
  }
}

/** Only its owner can read the file. */
export async function writePrivateFile(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
