/**
 * Writes files and syncs them to disk.
 *
 * What may wait for the disk runs on other threads. A descriptor is closed here, once its file is synced: that takes
 * a microsecond, and a trip to another thread twenty times as long. Descriptors take three quarters of the processor
 * time of Node's file handles.
 */
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { BlobParts } from './blobs.ts';

const open = promisify(fs.open);
const write = promisify(fs.writev);
const sync = promisify(fs.fsync);
const syncData = promisify(fs.fdatasync);

const SLICE_BYTES = 1024 * 1024;

/** The descriptor of an empty file, which replaces what was there. */
export function createFile(path: string): Promise<number> {
  return open(path, 'w', 0o600);
}

export interface NewFile {
  readonly path: string;
  /** As `createFile` creates it, perhaps while the parts are still being made. */
  readonly created: Promise<number>;
}

/**
 * Writes the parts one after the other to a file.
 * @param durable whether the file and its name are on disk when this resolves.
 */
export async function writeNew(
  { path, created }: NewFile,
  parts: BlobParts,
  durable: boolean,
): Promise<void> {
  const [opened, made] = await Promise.allSettled([created, parts]);
  if (opened.status === 'rejected') throw made.status === 'rejected' ? made.reason : opened.reason;
  const file = opened.value;
  try {
    if (made.status === 'rejected') throw made.reason;
    let isFirst = true;
    for (const slice of slicesOf(made.value)) {
      // Each slice is on disk before the next is written, so that a commit of the database never waits behind a whole
      // report.
      if (durable && !isFirst) await syncData(file);
      await writeSlice(file, slice);
      isFirst = false;
    }
    if (durable) await syncAll([sync(file), syncFolder(dirname(path))]);
  } finally {
    fs.closeSync(file);
  }
}

/** Waits for both, even if one fails: a file that is being synced must not be closed. */
async function syncAll(syncs: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(syncs)) if (result.status === 'rejected') throw result.reason;
}

/** Of `SLICE_BYTES` each; the last may be shorter. */
function* slicesOf(parts: readonly Uint8Array[]): Generator<Uint8Array[], void> {
  let slice: Uint8Array[] = [];
  let leftBytes = SLICE_BYTES;
  for (const part of parts) {
    for (let at = 0; at < part.length;) {
      const piece = part.subarray(at, at + leftBytes);
      slice.push(piece);
      at += piece.length;
      leftBytes -= piece.length;
      if (leftBytes > 0) continue;
      yield slice;
      slice = [];
      leftBytes = SLICE_BYTES;
    }
  }
  if (slice.length > 0) yield slice;
}

/** One call, which is one trip to another thread, unless the system writes less. */
async function writeSlice(file: number, slice: readonly Uint8Array[]): Promise<void> {
  let left = slice;
  while (left.length > 0) {
    const { bytesWritten } = await write(file, left);
    left = withoutFirst(left, bytesWritten);
  }
}

function withoutFirst(parts: readonly Uint8Array[], count: number): Uint8Array[] {
  let skipped = 0;
  return parts.flatMap((part) => {
    const rest = part.subarray(Math.max(0, count - skipped));
    skipped += part.length;
    return rest.length > 0 ? [rest] : [];
  });
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
