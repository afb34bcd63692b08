/**
 * Opens the program's own files, or checks them before other code does: `.svc.json`, credentials, keys, choices, locks,
 * databases. Links are not followed, pipes and devices are not opened, reads are bounded, and a new file is created
 * exclusively. So the program never writes through, or waits for, anything that a repository planted.
 */
import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../errors.ts';
import { rejectLinks } from './own-folders.ts';
import { readHandle } from './read-bounded.ts';

const OWN_FILE_BYTES_MAX = 1024 * 1024;
/** The last two do not exist on Windows, where the check before opening is the only protection. */
const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
const SAFELY = O_NOFOLLOW | O_NONBLOCK;

/**
 * Null when the file does not exist.
 * @throws CliError for anything but a regular file of at most `bytesMax` bytes.
 */
export async function readOwn(file: string, bytesMax: number = OWN_FILE_BYTES_MAX): Promise<Buffer | null> {
  const handle = await opened(file, O_RDONLY).catch(unlessAbsent);
  if (handle === null) return null;
  try {
    const bytes = await readHandle(handle, bytesMax);
    if (bytes !== 'too_large') return bytes;
    throw new CliError('failed', `${file} is larger than ${bytesMax} bytes.`, {
      hint: 'svc did not write it. Move it away and try again.',
    });
  } finally {
    await handle.close();
  }
}

/**
 * Creates a file.
 * @throws EEXIST when a file exists there, and CliError for anything else, including a dangling link.
 */
export async function createOwn(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  const handle = await opened(file, O_WRONLY | O_CREAT | O_EXCL, mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Creates an empty file if it is missing, and removes others' permissions from an existing one. */
export function touchOwn(file: string): void {
  rejectLinks(path.dirname(file));
  rejectOther(file, lstatSync(file, { throwIfNoEntry: false }));
  const descriptor = openSync(file, O_WRONLY | O_APPEND | O_CREAT | SAFELY, 0o600);
  try {
    const stat = fstatSync(descriptor);
    rejectOther(file, stat);
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) fchmodSync(descriptor, 0o600);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Checks a file that another library opens by its name.
 * @throws CliError for anything but a regular file or a missing one, and for a forbidden link on the path.
 */
export function requireOwn(file: string): void {
  rejectLinks(path.dirname(file));
  rejectOther(file, lstatSync(file, { throwIfNoEntry: false }));
}

async function opened(file: string, flags: number, mode?: number): Promise<FileHandle> {
  requireOwn(file);
  const handle = await open(file, flags | SAFELY, mode);
  try {
    rejectOther(file, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function rejectOther(file: string, stat: Stats | undefined): void {
  if (stat === undefined || stat.isFile()) return;
  throw new NotARegularFileError(file, stat);
}

/** A link, a folder, a pipe or a device in the place of a file. */
export class NotARegularFileError extends CliError {
  readonly isFolder: boolean;
  constructor(file: string, stat: Stats) {
    super('failed', `${file} is ${kindOf(stat)}, not a regular file.`, {
      hint: 'svc does not follow or open it. Move it away and try again.',
    });
    this.isFolder = stat.isDirectory();
  }
}

function kindOf(stat: Stats): string {
  if (stat.isSymbolicLink()) return 'a symbolic link';
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a pipe';
  return stat.isSocket() ? 'a socket' : 'a device';
}

function unlessAbsent(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
