/**
 * A disk of its own for a test: a file system in a file. What was written but not synced is in the memory of the machine
 * and not in the file, so a copy of the file is what a power cut at that moment would leave.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SIZE_BYTES = 64 * 1024 * 1024;
const MKFS = '/usr/sbin/mkfs.ext4';

/** Mounting takes Linux and its root user. */
export const diskImagesMissing =
  process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync(MKFS);

export interface DiskImage {
  /** Where it is mounted. */
  readonly path: string;
  /** What a power cut now would leave, mounted as a disk of its own. */
  copyAsAfterPowerCut(name: string): DiskImage;
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
  execFileSync('mount', ['-o', 'loop', file, path]);
  return {
    path,
    copyAsAfterPowerCut(copy) {
      copyFileSync(file, join(folder, `${copy}.img`));
      return mounted(folder, copy);
    },
    unmount: () => void execFileSync('umount', [path]),
  };
}
