/**
 * A disk for a test: a file system in a file. Unsynced writes are only in memory and not in the file, so a copy of
 * the file is the state after a power cut.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SIZE_BYTES = 64 * 1024 * 1024;
const MKFS = '/usr/sbin/mkfs.ext4';
const FSCK = '/usr/sbin/e2fsck';
/** Commits every hour instead of every few seconds, so that unsynced writes stay in memory during a test. */
const MOUNTED_WITH = 'loop,commit=3600';

/** Mounting requires Linux and root. */
export const diskImagesMissing =
  process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync(MKFS);

export interface DiskImage {
  /** The mount point. */
  readonly path: string;
  /** The state after a power cut now, mounted as a separate disk. */
  copyAsAfterPowerCut(name: string): DiskImage;
  /** Rejects every write from now on, like a disk after a file system error. */
  breakDown(): void;
  /** Unmounts the file system, repairs it, and mounts it again. */
  repair(): void;
  unmount(): void;
}

/** @param folder holds the image files and the mount points. */
export function makeDiskImage(folder: string, name: string): DiskImage {
  const file = join(folder, `${name}.img`);
  writeFileSync(file, '');
  truncateSync(file, SIZE_BYTES);
  execFileSync(MKFS, ['-q', file]);
  return mounted(folder, name);
}

function mounted(folder: string, name: string): DiskImage {
  const file = join(folder, `${name}.img`);
  const path = join(folder, name);
  mkdirSync(path);
  execFileSync('mount', ['-o', MOUNTED_WITH, file, path]);
  return {
    path,
    copyAsAfterPowerCut(copy) {
      copyFileSync(file, join(folder, `${copy}.img`));
      return mounted(folder, copy);
    },
    breakDown: () => void execFileSync('mount', ['-o', 'remount,abort', path]),
    repair() {
      execFileSync('umount', [path]);
      // Exit code 1 means that the check has repaired something.
      spawnSync(FSCK, ['-f', '-y', file], { stdio: 'ignore' });
      execFileSync('mount', ['-o', MOUNTED_WITH, file, path]);
    },
    unmount: () => void execFileSync('umount', [path]),
  };
}
