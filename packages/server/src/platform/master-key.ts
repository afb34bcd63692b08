/**
 * The deployment's master key: 32 bytes from `SVC_MASTER_KEY`, or from a file made at the first start.
 *
 * What it wraps can never be read without it. So a mark of the key is kept in the database, and a start with another key
 * (a lost file, a backup of half the folder) is refused before anything is written under it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '#start-error';
import type { Database } from './database/database.ts';
import type { Random } from './random.ts';

export const MASTER_KEY_BYTES = 32;

export interface MasterKey {
  readonly bytes: Uint8Array;
  /** For messages: where the key comes from. */
  readonly source: string;
}

/** Reads the key file, or makes it. The file is complete and on the disk before it has its name. */
export function keyFromFile(file: string, random: Random): MasterKey {
  const text = readText(file) ?? makeFile(file, random);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== MASTER_KEY_BYTES) {
    throw new StartError(
      `The master key file ${file} does not hold ${MASTER_KEY_BYTES} bytes in base64. Restore it from a backup: reports can not be read without it.`,
    );
  }
  return { bytes, source: `the file ${file}` };
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw new StartError(`The master key file ${file} can not be read (${(error as Error).message}).`, {
      cause: error,
    });
  }
}

function makeFile(file: string, random: Random): string {
  const text = `${Buffer.from(random.bytes(MASTER_KEY_BYTES)).toString('base64')}\n`;
  const temporary = `${file}.new`;
  const descriptor = openSync(temporary, 'w', 0o600);
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
  linkSync(temporary, file);
  unlinkSync(temporary);
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return text;
}

const MARK_NAME = 'master-key-mark';

/** @throws StartError when the database was made under another key. */
export async function matchMasterKey(database: Database, key: MasterKey): Promise<void> {
  const mark = createHmac('sha256', key.bytes).update('svc master key mark').digest('hex');
  const known = await database.transaction(async (tx) => {
    await tx
      .insertInto('deployment')
      .values({ name: MARK_NAME, value: mark })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const row = await tx
      .selectFrom('deployment')
      .select('value')
      .where('name', '=', MARK_NAME)
      .executeTakeFirst();
    return row?.value ?? '';
  });
  if (known.length !== mark.length || !timingSafeEqual(Buffer.from(known), Buffer.from(mark))) {
    throw new StartError(
      `The master key of ${key.source} is not the one that this deployment was made with. Restore that key: reports can not be read without it.`,
    );
  }
}
