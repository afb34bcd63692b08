/**
 * Which files belong to a repository: those that git tracks and those that it would offer to track. Where there is no
 * git, all that no `.gitignore` leaves out. Paths are relative to the root, with forward slashes.
 */
import type { Environment } from '../environment.ts';
import { gitOutput } from '../programs/git.ts';
import { filesOfFolder } from './list-folder.ts';
import { listedFile, type ListedFile } from './listed-file.ts';

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
  readonly files: readonly ListedFile[];
  readonly isGit: boolean;
  /** Folders that can not be looked into. */
  readonly unreadable: number;
}

/** @param root absolute and real */
export async function listFiles(root: string, options: ListOptions): Promise<FileList> {
  const tracked = await filesOfGit(root, options);
  options.signal.throwIfAborted();
  // A folder that the repository around it ignores is listed as empty.
  if (tracked !== undefined && tracked.length > 0)
    return { files: inOrder(tracked), isGit: true, unreadable: 0 };
  const { files, unreadable } = await filesOfFolder(root, {
    without: vendoredFolders,
    signal: options.signal,
  });
  return { files: inOrder(files), isGit: false, unreadable };
}

async function filesOfGit(
  root: string,
  { environment, signal }: ListOptions,
): Promise<ListedFile[] | undefined> {
  const output = await gitOutput({
    folder: root,
    arguments: ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    environment,
    timeLimitMs: TIME_LIMIT_MS,
    outputBytesMax: OUTPUT_BYTES_MAX,
    signal,
  });
  if (output === undefined) return undefined;
  // A file in conflict is listed once for each side. One byte is one character here, so that no two names become one.
  const names = new Set(output.toString('latin1').split('\0'));
  names.delete('');
  return [...names].map((name) => listedFile(Buffer.from(name, 'latin1')));
}

/** The same, whether git tracks a file yet or not. */
function inOrder(files: readonly ListedFile[]): readonly ListedFile[] {
  return files.toSorted((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));
}
