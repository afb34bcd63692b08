/**
 * A disk of its own for a test: a file system in a file. What was written but not synced is in the memory of the machine
 * and not in the file, so a copy of the file is what a power cut at that moment would leave.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SIZE_BYTES = 64 * 1024 * 1024;
const MKFS = '/usr/sbin/mkfs.ext4';
const FSCK = '/usr/sbin/e2fsck';
/** An hour between commits of its own instead of seconds: what nobody synced stays in memory for as long as a test takes. */
const MOUNTED_WITH = 'loop,commit=3600';

/** Mounting takes Linux and its root user. */
export const diskImagesMissing =
  process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync(MKFS);

export interface DiskImage {
  /** Where it is mounted. */
  readonly path: string;
  /** What a power cut now would leave, mounted as a disk of its own. */
  copyAsAfterPowerCut(name: string): DiskImage;
  /** From now on it refuses every write, as a disk does whose file system met an error. */
  breakDown(): void;
  /** Mends the file system while nobody uses it. */
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
      // Its code is 1 when it has mended something.
      spawnSync(FSCK, ['-f', '-y', file], { stdio: 'ignore' });
      execFileSync('mount', ['-o', MOUNTED_WITH, file, path]);
    },
    unmount: () => void execFileSync('umount', [path]),
  };
}
