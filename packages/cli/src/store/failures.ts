/** Explains errors of the local store in a sentence, with the next step. */
import { CliError } from '../errors.ts';

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/** Undefined when the error is not from SQLite. */
function primaryCodeOf(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined;
}

export function isBusy(error: unknown): boolean {
  return primaryCodeOf(error) === SQLITE_BUSY;
}

/** Returns errors that do not come from SQLite unchanged. */
export function explained(error: unknown, file: string): unknown {
  const described = `The local store ${file}`;
  switch (primaryCodeOf(error)) {
    case undefined:
      return error;
    case SQLITE_BUSY:
      return new CliError('failed', `${described} is locked by another svc.`, {
        hint: 'Wait for the other command to end, or end it, and run this one again.',
        cause: error,
      });
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return damaged(file, error);
    case SQLITE_FULL:
      return new CliError('failed', `${described} cannot be written: the disk is full.`, {
        hint: 'Free space on the disk and run this again; nothing that was stored is lost.',
        cause: error,
      });
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
      return new CliError('failed', `${described} cannot be read or written.`, {
        hint: 'Check that the file and its folder belong to you and are writable, and that the disk has no errors.',
        cause: error,
      });
    default:
      return new CliError('failed', `${described} cannot be used: ${(error as Error).message}.`, {
        cause: error,
      });
  }
}

export function damaged(file: string, cause?: unknown): CliError {
  return new CliError('failed', `The local store ${file} is damaged.`, {
    hint: `Restore it from a backup, or move it and the files beside it (-wal, -shm) away to start with an empty store. Reports that were synced are safe in the service; \`sqlite3 ${file} .recover\` may recover others.`,
    cause,
  });
}
