/** Stores the credential in a file of mode 0600, one for each service. Used when the keyring cannot be used. */
import path from 'node:path';
import { fileNameOf } from '../connection/origin.ts';
import { readIfThere, removeIfThere, writePrivateFile } from '../files/private-file.ts';
import { CliError } from '../errors.ts';
import { KeystoreError, type Keystore } from './keystore.ts';

export function createFileKeystore(configFolder: string): Keystore {
  const fileOf = (origin: string) => path.join(configFolder, 'credentials', fileNameOf(origin));
  return {
    kind: 'file',
    read: (origin) => guarded(async () => (await readIfThere(fileOf(origin)))?.trim() || null),
    write: (origin, credential) => guarded(() => writePrivateFile(fileOf(origin), `${credential}\n`)),
    remove: (origin) => guarded(() => removeIfThere(fileOf(origin))),
  };
}

async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const { code = 'unknown', path: file = 'the file' } = cause as NodeJS.ErrnoException;
    throw new KeystoreError(`The credential cannot be kept in ${file} (${code}).`, { cause });
  }
}
