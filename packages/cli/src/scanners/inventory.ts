/**
 * What there is to scan. Only regular files count that really lie in the repository: a link may lead to anything that
 * its reader may read, and so may a folder on the way that was replaced by a link after git recorded what was in it.
 */
import { limits } from '@svc/contract';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { isWithin } from './environment.ts';
import { languagesOf } from './languages.ts';
import { listFiles, type ListOptions } from './list-files.ts';

export interface RepositoryFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly sizeBytes: number;
}

export interface Inventory {
  readonly files: readonly RepositoryFile[];
  readonly fileCount: number;
  /** The most frequent first, as many as a report names. */
  readonly languages: readonly string[];
  readonly isGit: boolean;
  /** Links, which are not followed. */
  readonly links: number;
  /** Repositories within the repository, of which git lists the folder only. */
  readonly submodules: number;
}

const AT_ONCE = 64;

/** @param root absolute. Rejects when it can not be read, and with the signal's reason when that is aborted. */
export async function inventory(root: string, options: ListOptions): Promise<Inventory> {
  const realRoot = await fs.realpath(root);
  const { files: listed, isGit } = await listFiles(realRoot, options);
  const isInside = insideOf(realRoot);
  const files: RepositoryFile[] = [];
  let links = 0;
  let submodules = 0;
  for (let from = 0; from < listed.length; from += AT_ONCE) {
    options.signal.throwIfAborted();
    const some = listed.slice(from, from + AT_ONCE);
    const stats = await Promise.all(some.map((file) => statOf(file)));
    for (const [index, stat] of stats.entries()) {
      if (stat?.isFile() === true) files.push({ path: some[index] ?? '', sizeBytes: stat.size });
      else if (stat?.isSymbolicLink() === true) links += 1;
      else if (stat?.isDirectory() === true) submodules += 1;
    }
  }
  const names = files.map((file) => file.path);
  return {
    files,
    fileCount: files.length,
    languages: languagesOf(names, limits.report.languagesMax),
    isGit,
    links,
    submodules,
  };

  async function statOf(file: string) {
    if (!(await isInside(path.posix.dirname(file)))) return undefined;
    return fs.lstat(path.join(realRoot, file)).catch(() => undefined);
  }
}

/** Whether a folder, named from the root, is in the repository once all links are resolved. */
function insideOf(realRoot: string): (folder: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (folder) => {
    let inside = known.get(folder);
    if (inside === undefined) {
      inside = fs.realpath(path.join(realRoot, folder)).then(
        (real) => real === path.join(realRoot, folder) && isWithin(realRoot, real),
        () => false,
      );
      known.set(folder, inside);
    }
    return inside;
  };
}
