/**
 * The deployment's master key: 32 bytes from `SVC_MASTER_KEY`, or from a file created at the first start.
 *
 * What it wraps can never be read without it. So the database stores a mark of the key. A start with another key or without
 * one (a lost file, a backup of half the folder) fails before anything is written.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '#start-error';
import type { Database, ReadingDatabase } from './database/database.ts';
import { findFact, putFactOnce } from './database/deployment.ts';
import type { Random } from './random.ts';

export const MASTER_KEY_BYTES = 32;

export interface MasterKeySources {
  readonly database: Database;
  /** The key from the configuration, which takes precedence over the file. */
  readonly configured: Uint8Array | null;
  /** Read when no key is configured, and created at the first start. */
  readonly file: string;
  readonly random: Random;
}

/** @throws StartError when there is no usable key, or not the one of this deployment. */
export async function openMasterKey({
  database,
  configured,
  file,
  random,
}: MasterKeySources): Promise<Uint8Array> {
  const known = await readMark(database);
  const key = configured ?? readKeyFile(file) ?? (known === null ? makeKeyFile(file, random) : lost(file));
  const mark = markOf(key);
  if (!sameText(known ?? (await keepMark(database, mark)), mark)) throw foreign(configured, file);
  return key;
}

/** Whether the deployment is new: its database has no mark of a key, and so contains no report. */
export async function isNewDeployment(database: ReadingDatabase): Promise<boolean> {
  return (await readMark(database)) === null;
}

/**
 * The key of a deployment that is only read.
 * @throws StartError as above.
 */
export async function readMasterKey({
  database,
  configured,
  file,
}: Pick<MasterKeySources, 'configured' | 'file'> & {
  readonly database: ReadingDatabase;
}): Promise<Uint8Array> {
  const key = configured ?? readKeyFile(file) ?? lost(file);
  if (!sameText((await readMark(database)) ?? '', markOf(key))) throw foreign(configured, file);
  return key;
}

function markOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('svc master key mark').digest('hex');
}

function foreign(configured: Uint8Array | null, file: string): StartError {
  return new StartError(
    `The master key of ${configured ? 'SVC_MASTER_KEY' : file} is not the key of this deployment. Restore that key, the same for every replica: reports cannot be read without it.`,
  );
}

function lost(file: string): never {
  throw new StartError(
    `The master key file ${file} is missing. Restore it from a backup, or set SVC_MASTER_KEY to the same key: reports cannot be read without it.`,
  );
}

function readKeyFile(file: string): Uint8Array | null {
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
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === MASTER_KEY_BYTES) return bytes;
  throw new StartError(
    `The master key file ${file} does not contain ${MASTER_KEY_BYTES} bytes in base64. Restore it from a backup: reports cannot be read without it.`,
  );
}

function makeKeyFile(file: string, random: Random): Uint8Array {
  const bytes = random.bytes(MASTER_KEY_BYTES);
  try {
    writeWhole(file, `${Buffer.from(bytes).toString('base64')}\n`);
  } catch (error) {
    throw new StartError(
      `The master key file ${file} cannot be created (${(error as Error).message}). Make its folder writable and free disk space.`,
      { cause: error },
    );
  }
  return bytes;
}

/** The file is complete and on disk before it gets its name. */
function writeWhole(file: string, text: string): void {
  const temporary = `${file}.new`;
  // A file of an interrupted start would keep its mode.
  rmSync(temporary, { force: true });
  const descriptor = openSync(temporary, 'wx', 0o600);
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
  linkSync(temporary, file);
  unlinkSync(temporary);
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

const MARK_NAME = 'master-key-mark';

const readMark = (database: ReadingDatabase) => findFact(database.read, MARK_NAME);

/** Resolves to the stored mark: this one, or that of a replica which was first. */
async function keepMark(database: Database, mark: string): Promise<string> {
  await putFactOnce(database.read, MARK_NAME, mark);
  return (await readMark(database)) ?? '';
}

function sameText(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
