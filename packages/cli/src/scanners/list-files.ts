/**
 * The files of a repository: those that git tracks and those that it would offer to track. Without git, all files
 * outside of vendored folders that no `.gitignore` excludes. Paths are relative to the root, with forward slashes.
 */
import path from 'node:path';
import type { Environment } from '../environment.ts';
import { gitOutput } from '../programs/git.ts';
import { isInPart, type ScannedPart } from '../report/scanned-part.ts';
import { filesOfFolder } from './list-folder.ts';
import { listedBelow, listedFile, type ListedFile } from './listed-file.ts';
import { MINUTE_MS } from '../time.ts';

const TIME_LIMIT_MS = 2 * MINUTE_MS;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Names of folders with installed or generated files, which svc itself does not search. */
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
  /** Only this part is listed; everything by default. */
  readonly part?: ScannedPart | undefined;
}

export interface FileList {
  readonly files: readonly ListedFile[];
  /** The files directly in the root, if they are outside the part. */
  readonly atRoot: readonly ListedFile[];
  readonly isGit: boolean;
  /** Folders that are not readable. */
  readonly unreadable: number;
}

/** @param root absolute, with symbolic links resolved */
export async function listFiles(root: string, options: ListOptions): Promise<FileList> {
  const { part, signal } = options;
  const tracked = (await filesOfGit(root, options)) ?? [];
  signal.throwIfAborted();
  const atRoot =
    part === undefined
      ? []
      : tracked.filter((file) => !file.path.includes('/') && !isInPart(part, file.path));
  const asked = part === undefined ? tracked : tracked.filter((file) => isInPart(part, file.path));
  // Git lists no files of a folder that the repository around it ignores, so such a folder is read without git.
  if (asked.length > 0) return { files: inOrder(asked), atRoot, isGit: true, unreadable: 0 };
  if (part?.kind === 'file') return { files: [{ path: part.path }], atRoot, isGit: false, unreadable: 0 };
  const { files, unreadable } = await filesOfFolder(part === undefined ? root : path.join(root, part.path), {
    without: vendoredFolders,
    signal,
  });
  const named = part === undefined ? files : files.map((file) => listedBelow(part.path, file));
  return { files: inOrder(named), atRoot, isGit: false, unreadable };
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
  // A file in conflict is listed once for each side. Names are decoded with one character for each byte, so that
  // different names stay different.
  const names = new Set(output.toString('latin1').split('\0'));
  names.delete('');
  return [...names].map((name) => listedFile(Buffer.from(name, 'latin1')));
}

/** Sorts the files, so that their order does not depend on git. */
function inOrder(files: readonly ListedFile[]): readonly ListedFile[] {
  return files.toSorted((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));
}
