/**
 * The output file of an export: complete or absent, and never overwriting another file without --force. A pipe or a device
 * is written to directly.
 */
import { open, realpath, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CliError } from '../errors.ts';
import { isWithin, outermostRepository } from './paths.ts';
import { replaceFile } from './replace-file.ts';
import { safeLine } from '../terminal/safe-text.ts';

const PERMISSIONS = 0o777;
/** The permissions before the umask applies. */
const MODE_OF_NEW_FILE = 0o666;

/** @throws CliError with the reason; the existing file is then unchanged. */
export async function writeOutputFile(file: string, content: string, isForced: boolean): Promise<void> {
  try {
    const place = await realpath(file).catch(() => file);
    await rejectWayOut(file);
    const present = await stat(place).catch(() => undefined);
    if (present === undefined) await writeNew(place, content);
    else if (!present.isFile()) await writeFile(place, content);
    else if (isForced) await replaceFile(place, content, present.mode & PERMISSIONS);
    else throw alreadyThere(file);
  } catch (error) {
    throw error instanceof CliError ? error : notWritten(file, error as NodeJS.ErrnoException);
  }
}

/**
 * A person may name a symbolic link, but a repository must not choose its target: a file that is named inside a
 * repository must be inside it.
 *
 * @throws CliError
 */
async function rejectWayOut(file: string): Promise<void> {
  const named = path.resolve(file);
  const repository = outermostRepository(path.dirname(named), os.homedir());
  if (repository === undefined) return;
  const folder = await realpath(path.dirname(named)).catch(() => path.dirname(named));
  const place = await realpath(named).catch(() => path.join(folder, path.basename(named)));
  if (isWithin(await realpath(repository), place)) return;
  throw new CliError('failed', `${safeLine(file)} leads out of the repository through a link.`, {
    hint: `Name the file itself: --output ${safeLine(place)}`,
  });
}

/** Reserves the name first, so that one of two concurrent writers fails. */
async function writeNew(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx', MODE_OF_NEW_FILE);
  await handle.close();
  try {
    await replaceFile(file, content, (await stat(file)).mode & PERMISSIONS);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

function alreadyThere(file: string): CliError {
  return new CliError('failed', `${safeLine(file)} already exists.`, {
    hint: 'Replace it with --force, or name another file with --output.',
  });
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it already exists',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'its permissions do not allow it',
  EPERM: 'its permissions do not allow it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
};

function notWritten(file: string, error: NodeJS.ErrnoException): CliError {
  const reason = reasons[error.code ?? ''] ?? error.message;
  return new CliError('failed', `${safeLine(file)} cannot be written: ${reason}.`, {
    hint: 'Name another file with --output, or - for standard output.',
    cause: error,
  });
}
