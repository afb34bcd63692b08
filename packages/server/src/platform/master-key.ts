/**
 * The deployment's master key: 32 bytes from `SVC_MASTER_KEY`, or from a file made at the first start.
 *
 * What it wraps can never be read without it. So a mark of the key is kept in the database, and a start with another key or
 * without one (a lost file, a backup of half the folder) is refused before anything is written.
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
import type { Random } from './random.ts';

export const MASTER_KEY_BYTES = 32;

export interface MasterKeySources {
  readonly database: Database;
  /** From the configuration; beats the file. */
  readonly configured: Uint8Array | null;
  /** Read when nothing is configured, and made at the first start. */
  readonly file: string;
  readonly random: Random;
}

/** @throws StartError when there is no usable key, or not the one that the deployment was made with. */
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

/** Whether the database is of a deployment that has not begun: it has seen no key, and so holds no report. */
export async function isNewDeployment(database: ReadingDatabase): Promise<boolean> {
  return (await readMark(database)) === null;
}

/**
 * The key of a deployment that is only looked at.
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
    `The master key of ${configured ? 'SVC_MASTER_KEY' : file} is not the one that this deployment was made with. Restore that key (every replica needs the same): reports can not be read without it.`,
  );
}

function lost(file: string): never {
  throw new StartError(
    `The master key file ${file} is missing. Restore it from a backup, or set SVC_MASTER_KEY to the same key: reports can not be read without it.`,
  );
}

function readKeyFile(file: string): Uint8Array | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw new StartError(
      `The master key file ${file} can not be read (${(error as Error).message}). Make it readable.`,
      { cause: error },
    );
  }
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === MASTER_KEY_BYTES) return bytes;
  throw new StartError(
    `The master key file ${file} does not hold ${MASTER_KEY_BYTES} bytes in base64. Restore it from a backup: reports can not be read without it.`,
  );
}

function makeKeyFile(file: string, random: Random): Uint8Array {
  const bytes = random.bytes(MASTER_KEY_BYTES);
  try {
    writeWhole(file, `${Buffer.from(bytes).toString('base64')}\n`);
  } catch (error) {
    throw new StartError(
      `The master key file ${file} can not be made (${(error as Error).message}). Make its folder writable and leave room on the disk.`,
      { cause: error },
    );
  }
  return bytes;
}

/** The file is whole and on the disk before it has its name. */
function writeWhole(file: string, text: string): void {
  const temporary = `${file}.new`;
  // One of an earlier start that was cut short would keep its mode.
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

async function readMark(database: ReadingDatabase): Promise<string | null> {
  const row = await database.read
    .selectFrom('deployment')
    .select('value')
    .where('name', '=', MARK_NAME)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Resolves to the mark that is kept: this one, or that of a replica which was first. */
async function keepMark(database: Database, mark: string): Promise<string> {
  await database.read
    .insertInto('deployment')
    .values({ name: MARK_NAME, value: mark })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await readMark(database)) ?? '';
}

function sameText(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
