/** The key of this machine, which distinguishes found secrets without storing them. It never leaves the machine. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { writtenByAnotherBuild } from '../another-build.ts';
import type { Environment } from '../environment.ts';
import { foldersOf } from '../folders.ts';
import { readIfThere, writePrivateFile } from '../files/private-file.ts';

const KEY_BYTES = 32;

/**
 * Created when it is first needed.
 * @throws CliError when the file has another content than a key.
 */
export async function machineKey(environment: Environment): Promise<Uint8Array> {
  const file = path.join(foldersOf(environment).data, 'fingerprint.key');
  if ((await readIfThere(file)) === null)
    await writePrivateFile(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
  // If two processes created a key at the same time, both use the key in the file that is in place.
  const text = (await readIfThere(file))?.trim() ?? '';
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
  throw writtenByAnotherBuild(`The key ${file}`);
}
