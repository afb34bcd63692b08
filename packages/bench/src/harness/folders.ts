/**
 * Folders of suites that store many files. They are removed after the last suite: for some minutes after many files were
 * deleted, a file system without a journal creates files more slowly, and the next suites would measure that.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folders: string[] = [];

export async function suiteFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `svc-bench-${name}-`));
  folders.push(folder);
  return folder;
}

export async function removeSuiteFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}
