/** Where programs are looked up: the absolute folders in PATH that are outside of every tree (trees.ts). */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../environment.ts';
import { isWithin } from '../files/paths.ts';
import { isWithinAny, treesAround } from './trees.ts';

export interface SearchPath {
  readonly folders: readonly string[];
  /** Real folders from which no program is started. */
  readonly trees: readonly string[];
}

/** @param roots folders that the command works on; the current folder is usually added (trees.ts). */
export async function safeSearchPath(
  environment: Environment,
  ...roots: readonly string[]
): Promise<SearchPath> {
  const trees = await treesAround(...roots);
  const search = environment['PATH'] ?? environment['Path'] ?? '';
  const key = JSON.stringify([search, trees]);
  let known = searchPaths.get(key);
  if (known === undefined) searchPaths.set(key, (known = searchPathOf(search, trees)));
  return known;
}

/** A scan needs the same search path several times. */
const searchPaths = new Map<string, Promise<SearchPath>>();

async function searchPathOf(search: string, trees: readonly string[]): Promise<SearchPath> {
  const folders: string[] = [];
  for (const folder of search.split(path.delimiter).filter((entry) => path.isAbsolute(entry))) {
    const real = await fs.realpath(folder).catch(() => undefined);
    if (real === undefined || isWithinAny(trees, real) || folders.includes(folder)) continue;
    if (!isOfPackagesAbove(trees, real) && !(await leadsInto(trees, folder))) folders.push(folder);
  }
  return { folders, trees };
}

/** npm puts the `node_modules/.bin` of every folder above the current one at the front of PATH. */
function isOfPackagesAbove(trees: readonly string[], folder: string): boolean {
  const modules = path.dirname(folder);
  if (path.basename(folder) !== '.bin' || path.basename(modules) !== 'node_modules') return false;
  return trees.some((tree) => isWithin(path.dirname(modules), tree));
}

/** Names that the programs started by svc look up on the search path themselves. */
const lookedForByPrograms = ['env', 'sh', 'bash', 'node', 'python', 'python3', 'git', 'ssh', 'semgrep-core'];

/** Whether one of those names in the folder is a link into a tree. Programs that svc starts would follow it. */
async function leadsInto(trees: readonly string[], folder: string): Promise<boolean> {
  for (const name of lookedForByPrograms) {
    const real = await fs.realpath(path.join(folder, name)).catch(() => undefined);
    if (real !== undefined && isWithinAny(trees, real)) return true;
  }
  return false;
}

/** The first program with a name, as an absolute path. A link that leads into a tree is skipped. */
export async function findProgram(name: string, { folders, trees }: SearchPath): Promise<string | undefined> {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  for (const candidate of folders.map((folder) => path.join(folder, file))) {
    if ((await isProgram(candidate)) && !isWithinAny(trees, await fs.realpath(candidate))) return candidate;
  }
  return undefined;
}

export async function isProgram(file: string): Promise<boolean> {
  try {
    await fs.access(file, fs.constants.X_OK);
    return (await fs.stat(file)).isFile();
  } catch {
    return false;
  }
}
