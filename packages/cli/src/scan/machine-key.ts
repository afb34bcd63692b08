/** The key of this machine, under which secrets that are found are told apart without being kept. Never leaves it. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Environment } from '../environment.ts';
import { foldersOf } from '../folders.ts';
import { readIfThere, writePrivateFile } from '../files/private-file.ts';

const KEY_BYTES = 32;

/** Made when it is first needed. */
export async function machineKey(environment: Environment): Promise<Uint8Array> {
  const file = path.join(foldersOf(environment).data, 'fingerprint.key');
  const kept = await keyIn(file);
  if (kept) return kept;
  await writePrivateFile(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
  // Of two that made one at the same time, the one that is in place counts for both.
  const key = await keyIn(file);
  if (key) return key;
  throw new Error(`${file} holds no key.`);
}

async function keyIn(file: string): Promise<Uint8Array | undefined> {
  const text = (await readIfThere(file))?.trim() ?? '';
  return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
}
