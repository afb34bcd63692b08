/**
 * The files to scan. Only regular files that really lie in the repository count: a link may lead to any file that the user
 * can read, and so may a folder on the path that is now a link.
 */
import { limits } from '@svc/contract';
import * as fs from 'node:fs/promises';
import { isWithin } from '../files/paths.ts';
import { languagesOf } from './languages.ts';
import { listFiles, type ListOptions } from './list-files.ts';
import { folderOf, placeOf, type ListedFile } from './listed-file.ts';

export interface RepositoryFile extends ListedFile {
  readonly sizeBytes: number;
}

export interface Inventory {
  readonly files: readonly RepositoryFile[];
  /** Unscanned files at the root in a partial scan, because they may include settings of scanners. */
  readonly settings: readonly string[];
  readonly fileCount: number;
  /** The most frequent first, as many as a report may name. */
  readonly languages: readonly string[];
  readonly isGit: boolean;
  /** Links, which are not followed. */
  readonly links: number;
  /** Repositories within the repository, of which git lists only the folder. */
  readonly submodules: number;
  /** Existing files and folders that cannot be examined. */
  readonly unreadable: number;
}

const AT_ONCE = 64;

/** @param root absolute. Rejects when the root cannot be read, and with the reason of an abort. */
export async function inventory(root: string, options: ListOptions): Promise<Inventory> {
  const realRoot = await fs.realpath(root);
  const { files: listed, atRoot, isGit, unreadable: folders } = await listFiles(realRoot, options);
  const isInside = insideOf(realRoot);
  const files: RepositoryFile[] = [];
  let links = 0;
  let submodules = 0;
  let unreadable = folders;
  for (let from = 0; from < listed.length; from += AT_ONCE) {
    options.signal.throwIfAborted();
    const some = listed.slice(from, from + AT_ONCE);
    const stats = await Promise.all(some.map((file) => statOf(file)));
    for (const [index, file] of some.entries()) {
      const stat = stats[index] ?? 'gone';
      if (stat === 'unreadable') unreadable += 1;
      else if (stat === 'gone') continue;
      else if (stat.isFile()) files.push({ ...file, sizeBytes: stat.size });
      else if (stat.isSymbolicLink()) links += 1;
      else if (stat.isDirectory()) submodules += 1;
    }
  }
  const names = files.map((file) => file.path);
  return {
    files,
    settings: await regularAmong(atRoot),
    fileCount: files.length + unreadable,
    languages: languagesOf(names, limits.report.languagesMax),
    isGit,
    links,
    submodules,
    unreadable,
  };

  async function regularAmong(some: readonly ListedFile[]): Promise<string[]> {
    const stats = await Promise.all(some.map((file) => statOf(file)));
    return some.flatMap(({ path: name }, index) => {
      const stat = stats[index];
      return typeof stat === 'object' && stat.isFile() ? [name] : [];
    });
  }

  async function statOf(file: ListedFile) {
    try {
      return (await isInside(folderOf(file))) ? await fs.lstat(placeOf(realRoot, file)) : 'gone';
    } catch (error) {
      // Git still lists tracked files that were deleted, or whose folder has become a file.
      return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
        ? 'gone'
        : 'unreadable';
    }
  }
}

/**
 * Whether a folder, given relative to the root, is in the repository and has no link on its path. Rejects with the
 * system's error.
 */
function insideOf(realRoot: string): (folder: ListedFile) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (folder) => {
    const key = folder.bytes?.toString('latin1') ?? `text ${folder.path}`;
    let inside = known.get(key);
    if (inside === undefined) {
      inside = isReal(placeOf(realRoot, folder));
      known.set(key, inside);
    }
    return inside;
  };

  async function isReal(place: string | Buffer): Promise<boolean> {
    if (typeof place !== 'string') return place.equals(await fs.realpath(place, 'buffer'));
    const real = await fs.realpath(place);
    return real === place && isWithin(realRoot, real);
  }
}
