/**
 * The data folder: created at the first start, accessible to its owner only, and held by one process at a time.
 *
 * The lock is SQLite's own on a small file beside the database. The kernel releases it however the process ends, so no
 * stale lock can prevent a start. The database itself stays open to backup tools.
 */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '#start-error';

export interface DataFolder {
  readonly path: string;
  file(name: string): string;
  release(): void;
}

/** @throws StartError when the folder cannot be written to or another process holds it. */
export function openDataFolder(dataDir: string): DataFolder {
  const path = resolve(dataDir);
  const file = (name: string) => join(path, name);
  try {
    makeFolder(path);
  } catch (cause) {
    throw unusable(path, cause);
  }
  return { path, file, release: holdFolder(path, file('lock')) };
}

const TRY_AGAIN_MS = 100;

/**
 * Like `openDataFolder`, but waits for a process that holds the folder.
 * @throws StartError as `openDataFolder` does, or if that process still holds the folder after `waitMs`.
 */
export async function waitForDataFolder(
  dataDir: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<DataFolder> {
  const until = Date.now() + waitMs;
  for (;;) {
    try {
      return openDataFolder(dataDir);
    } catch (error) {
      if (!isHeld((error as Error).cause) || Date.now() >= until) throw error;
    }
    await pause(TRY_AGAIN_MS, undefined, { signal });
  }
}

/** Node's own recursive `mkdir` never returns where the system denies new folders, as under /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) {
    // Throws ENOTDIR if the path is a file.
    readdirSync(path);
    return;
  }
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}

function holdFolder(path: string, lockFile: string): () => void {
  try {
    return holdFile(lockFile);
  } catch (cause) {
    if (!isHeld(cause)) throw unusable(path, cause);
    throw new StartError(
      `DATA_DIR: ${path} is in use by another running svc. Use that one, stop it first, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
}

/**
 * Returns the function that releases the file.
 * @throws the driver's error; see `isHeld`.
 */
export function holdFile(lockFile: string): () => void {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(lockFile);
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (by); ');
    const held = lock;
    return () => held.close();
  } catch (error) {
    lock?.close();
    throw error;
  }
}

const SQLITE_BUSY = 5;

/** Whether this error of `holdFile` means that the file is held already. */
export function isHeld(cause: unknown): boolean {
  return ((cause as { errcode?: number } | undefined)?.errcode ?? 0) % 256 === SQLITE_BUSY;
}

function unusable(path: string, cause: unknown): StartError {
  const { code, errstr } = cause as { code?: string; errstr?: string };
  return new StartError(
    `DATA_DIR: ${path} cannot be written to (${errstr ?? code ?? 'unknown reason'}). Set DATA_DIR to a folder that this user may write to.`,
    { cause },
  );
}
