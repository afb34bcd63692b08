/** The folders of a test run: one for its temporary files, and one that keeps compiled modules for the next run. */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const IN_MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 8 * 1024 ** 3;
const NAME = /^svc-tests-(\d+)-/;
/** A run adds about two thousand, since each run imports the test files under other addresses. */
const COMPILED_MAX = 20_000;

/**
 * A new folder, removed when this process ends. It is in memory where there is enough of it, because tests write and sync many
 * small files. Like /tmp it is open to everyone, since some tests run as another user.
 */
export function makeTemporaryFolder(): string {
  const parent = process.env['TMPDIR'] ?? (hasMemory() ? IN_MEMORY : tmpdir());
  removeLeftovers(parent);
  const folder = fs.mkdtempSync(path.join(parent, `svc-tests-${process.pid}-`));
  fs.chmodSync(folder, 0o1777);
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What runs left behind that were killed. */
function removeLeftovers(parent: string): void {
  for (const name of fs.readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      fs.rmSync(path.join(parent, name), { recursive: true, force: true });
    } catch {
      // It belongs to someone else.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function hasMemory(): boolean {
  if (process.availableMemory() < MEMORY_BYTES_MIN || !fs.existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = fs.statfsSync(IN_MEMORY);
  return bavail * bsize >= MEMORY_BYTES_MIN;
}

/** Emptied when it has become large. */
export function folderOfCompiledModules(root: string): string {
  const folder = path.join(root, '.cache/compiled-modules');
  const count = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }).length : 0;
  if (count > COMPILED_MAX) fs.rmSync(folder, { recursive: true, force: true });
  return folder;
}
