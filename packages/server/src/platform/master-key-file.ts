/**
 * The file of the master key: one key on each line in base64, the newest first. There are two while one replaces the
 * other.
 */
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '#start-error';

export const MASTER_KEY_BYTES = 32;
const LINE = /^[A-Za-z0-9+/]{43}=?$/;

/** Undefined for anything other than a key in base64. */
export function parseMasterKey(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === MASTER_KEY_BYTES && LINE.test(text) ? bytes : undefined;
}

/** Null when there is no such file. */
export function readKeyFile(file: string): readonly Uint8Array[] | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw new StartError(
      `The master key file ${file} cannot be read (${(error as Error).message}). Make it readable.`,
      { cause: error },
    );
  }
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(parseMasterKey);
  if (keys.length > 0 && keys.every((key) => key !== undefined)) return keys;
  throw new StartError(
    `The master key file ${file} does not contain ${MASTER_KEY_BYTES} bytes in base64. Restore it from a backup: reports cannot be read without it.`,
  );
}

/** Fails when the file exists. */
export function createKeyFile(file: string, key: Uint8Array): void {
  write(file, [key], (temporary) => {
    linkSync(temporary, file);
    unlinkSync(temporary);
  });
}

export function replaceKeyFile(file: string, keys: readonly Uint8Array[]): void {
  write(file, keys, (temporary) => renameSync(temporary, file));
}

/** The file is complete and on disk before it gets its name. */
function write(file: string, keys: readonly Uint8Array[], name: (temporary: string) => void): void {
  const temporary = `${file}.new`;
  try {
    // A file left by an interrupted start would keep its mode.
    rmSync(temporary, { force: true });
    const descriptor = openSync(temporary, 'wx', 0o600);
    writeSync(descriptor, keys.map((key) => `${Buffer.from(key).toString('base64')}\n`).join(''));
    fsyncSync(descriptor);
    closeSync(descriptor);
    name(temporary);
    const folder = openSync(dirname(file), 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch (error) {
    throw new StartError(
      `The master key file ${file} cannot be created (${(error as Error).message}). Make its folder writable and free disk space.`,
      { cause: error },
    );
  }
}
