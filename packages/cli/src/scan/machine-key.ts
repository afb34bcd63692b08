/** The key of this machine, which distinguishes found secrets without storing them. It never leaves the machine. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Environment } from '../environment.ts';
import { foldersOf } from '../folders.ts';
import { readIfThere, writePrivateFile } from '../files/private-file.ts';

const KEY_BYTES = 32;

/** Created when it is first needed. */
export async function machineKey(environment: Environment): Promise<Uint8Array> {
  const file = path.join(foldersOf(environment).data, 'fingerprint.key');
  const kept = await keyIn(file);
  if (kept) return kept;
  await writePrivateFile(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
  // If two processes created a key at the same time, both use the key in the file that is in place.
  const key = await keyIn(file);
  if (key) return key;
  throw new Error(`${file} contains no key.`);
}

async function keyIn(file: string): Promise<Uint8Array | undefined> {
  const text = (await readIfThere(file))?.trim() ?? '';
  return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
}
