/** Writes a file atomically: temporary name, fsync, rename, fsync of the folder. */
import * as fs from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';

export async function writeDurably(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const file = path.join(folder, name);
  const handle = await open(`${file}.new`, 'w');
  await handle.writeFile(bytes);
  await handle.sync();
  await handle.close();
  await rename(`${file}.new`, file);
  const folderHandle = await open(folder, 'r');
  await folderHandle.sync();
  await folderHandle.close();
}

/** The synchronous version, for threads with no other work. */
export function writeDurablySync(folder: string, name: string, bytes: Uint8Array): void {
  const file = path.join(folder, name);
  const handle = fs.openSync(`${file}.new`, 'w');
  fs.writeFileSync(handle, bytes);
  fs.fsyncSync(handle);
  fs.closeSync(handle);
  fs.renameSync(`${file}.new`, file);
  const folderHandle = fs.openSync(folder, 'r');
  fs.fsyncSync(folderHandle);
  fs.closeSync(folderHandle);
}
