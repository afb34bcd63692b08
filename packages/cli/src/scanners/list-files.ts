/**
 * Which files belong to a repository: those that git tracks and those that it would offer to track. Where there is no
 * git, all that no `.gitignore` leaves out. Paths are relative to the root, with forward slashes.
 */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { environmentOfTool, findProgram, safeSearchPath } from './environment.ts';
import type { Environment } from '../environment.ts';
import { runProgram } from './program.ts';

const TIME_LIMIT_MS = 120_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** What is installed or generated rather than written here; of no interest wherever it lies. */
const vendoredFolders: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  'bower_components',
  'jspm_packages',
  '.venv',
  'venv',
  '__pycache__',
  'site-packages',
  '.tox',
  '.eggs',
  '.terraform',
  '.gradle',
]);

export function isVendored(file: string): boolean {
  return file
    .split('/')
    .slice(0, -1)
    .some((folder) => vendoredFolders.has(folder));
}

export interface ListOptions {
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

export interface FileList {
  readonly files: readonly string[];
  readonly isGit: boolean;
}

/** @param root absolute and real */
export async function listFiles(root: string, options: ListOptions): Promise<FileList> {
  const tracked = await filesOfGit(root, options);
  options.signal.throwIfAborted();
  // A folder that the repository around it ignores is listed as empty.
  if (tracked !== undefined && tracked.length > 0) return { files: tracked, isGit: true };
  return { files: await filesOfFolder(root), isGit: false };
}

async function filesOfGit(root: string, { environment, signal }: ListOptions): Promise<string[] | undefined> {
  const searchPath = await safeSearchPath(environment, root);
  const file = await findProgram('git', searchPath, root);
  if (file === undefined) return undefined;
  const end = await runProgram({
    file,
    arguments: ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    folder: root,
    environment: environmentOfTool(environment, searchPath, root),
    timeLimitMs: TIME_LIMIT_MS,
    outputBytesMax: OUTPUT_BYTES_MAX,
    signal,
  });
  if (end.ended !== 'exited' || end.code !== 0) return undefined;
  // A file in conflict is listed once for each side. In one order, whether git tracks a file yet or not.
  const names = new Set(end.output.toString().split('\0'));
  return [...names].filter((name) => name !== '').toSorted();
}

async function filesOfFolder(root: string): Promise<string[]> {
  const [{ glob }, { default: ignore }] = await Promise.all([import('tinyglobby'), import('ignore')]);
  const found = await glob('**', {
    cwd: root,
    dot: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    ignore: [...vendoredFolders].map((folder) => `**/${folder}/**`),
  });
  const rules = new Map<string, ReturnType<typeof ignore>>();
  for (const file of found.filter((name) => path.posix.basename(name) === '.gitignore')) {
    const text = await fs.readFile(path.join(root, file), 'utf8').catch(() => '');
    rules.set(path.posix.dirname(file), ignore().add(text));
  }
  return found.filter((file) => !isIgnored(file)).toSorted();

  /** The rules of the deepest folder that says anything decide. */
  function isIgnored(file: string): boolean {
    for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
      const relative = folder === '.' ? file : file.slice(folder.length + 1);
      const verdict = rules.get(folder)?.test(relative);
      if (verdict?.ignored === true || verdict?.unignored === true) return verdict.ignored;
      if (folder === '.') return false;
    }
  }
}
