/** When the last complete backup was created, in a small file of the data folder. */
import { readFile, writeFile } from 'node:fs/promises';

export const LAST_BACKUP = 'last-backup';
/** More than an ISO time and a line end take. */
const LENGTH_MAX = 64;

/** Never throws: a backup is complete without this file, for instance when the data folder cannot be written to. */
export async function noteBackup(file: string, at: string): Promise<void> {
  await writeFile(file, `${at}\n`, { mode: 0o600 }).catch(() => undefined);
}

/** Null if the file does not exist, or if its time cannot be read. */
export async function findLastBackup(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const at = text.length > LENGTH_MAX ? Number.NaN : Date.parse(text.trim());
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
