/**
 * Writes files and syncs them to disk.
 *
 * What may wait for the disk runs on other threads. A descriptor is closed here, once its file is synced: that takes
 * a microsecond, and a trip to another thread twenty times as long. Descriptors take three quarters of the processor
 * time of Node's file handles.
 */
import * as fs from 'node:fs';
import { promisify } from 'node:util';

const open = promisify(fs.open);
const write = promisify(fs.write);
const sync = promisify(fs.fsync);
const syncData = promisify(fs.fdatasync);

const SLICE_BYTES = 1024 * 1024;
const JOINED_BYTES_MAX = 64 * 1024;

/**
 * Writes the parts one after the other to a file, and replaces what it contained.
 * @param durable whether the file is on disk when this resolves. Its name is only once its folder is synced.
 */
export async function writeNew(path: string, parts: readonly Uint8Array[], durable: boolean): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    const sizeBytes = parts.reduce((sum, part) => sum + part.length, 0);
    // Each write is a trip to another thread, which takes longer than joining small parts.
    const pieces = sizeBytes <= JOINED_BYTES_MAX ? [Buffer.concat(parts, sizeBytes)] : parts;
    for (const piece of pieces) await writeWhole(file, piece, durable);
    if (durable) await sync(file);
  } finally {
    fs.closeSync(file);
  }
}

/**
 * Writes in slices, each synced to disk before the next, so that a commit of the database never waits behind a whole
 * report.
 */
async function writeWhole(file: number, part: Uint8Array, durable: boolean): Promise<void> {
  let written = 0;
  while (written < part.length) {
    const length = Math.min(SLICE_BYTES, part.length - written);
    const { bytesWritten } = await write(file, part, written, length);
    written += bytesWritten;
    if (durable && written < part.length) await syncData(file);
  }
}

/** After this, the names of the files in a folder are on disk. */
export async function syncFolder(path: string): Promise<void> {
  // A name in it was just changed, so the system has it in memory.
  const folder = fs.openSync(path, 'r');
  try {
    await sync(folder);
  } finally {
    fs.closeSync(folder);
  }
}
