/**
 * Chooses the keystore. `SVC_KEYSTORE` forces one; otherwise the system's keyring is preferred, and the file is used when
 * the keyring cannot be used. Reads try the file first, because it is cheap and never prompts.
 */
import type { Environment } from '../environment.ts';
import { CliError } from '../errors.ts';
import { createFileKeystore } from './file.ts';
import { KeystoreError, type Keystore } from './keystore.ts';
import { createSystemKeystore } from './system.ts';

export interface Credentials {
  /** Null when no credential is stored. @throws CliError when a stored credential cannot be read. */
  read(origin: string): Promise<string | null>;
  /**
   * @returns the keystore that now has the credential.
   * @throws CliError when the credential cannot be stored.
   */
  write(origin: string, credential: string): Promise<Keystore['kind']>;
  /** Removes the credential from both keystores, or from the forced one. False when none was stored. */
  remove(origin: string): Promise<boolean>;
}

/** @throws CliError when `SVC_KEYSTORE` names an unknown keystore. */
export function openCredentials(
  environment: Environment,
  configFolder: string,
  keystores: { readonly system: Keystore; readonly file: Keystore } = {
    system: createSystemKeystore(),
    file: createFileKeystore(configFolder),
  },
): Credentials {
  const { system, file } = keystores;
  const forced = environment['SVC_KEYSTORE'];
  if (forced === 'file') return only(file);
  if (forced === 'system') return only(system);
  if (forced) {
    throw new CliError('usage', 'SVC_KEYSTORE does not name a keystore.', {
      hint: 'Set it to `system` or `file`.',
    });
  }
  return {
    read: async (origin) =>
      (await said(file.read(origin), file)) ?? unlessUnusable(system.read(origin), null),
    async write(origin, credential) {
      try {
        await system.write(origin, credential);
        // A keyring may accept a secret and lose it, so it is read again to check.
        if ((await system.read(origin)) !== credential)
          throw new KeystoreError('It did not store the credential.');
      } catch (error) {
        if (!(error instanceof KeystoreError)) throw error;
        await said(file.write(origin, credential), file);
        return 'file';
      }
      await said(file.remove(origin), file);
      return 'system';
    },
    async remove(origin) {
      const fromFile = await said(file.remove(origin), file);
      return (await unlessUnusable(system.remove(origin), false)) || fromFile;
    },
  };
}

function only(keystore: Keystore): Credentials {
  return {
    read: (origin) => said(keystore.read(origin), keystore),
    write: async (origin, credential) => {
      await said(keystore.write(origin, credential), keystore);
      return keystore.kind;
    },
    remove: (origin) => said(keystore.remove(origin), keystore),
  };
}

async function unlessUnusable<Result>(result: Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof KeystoreError) return otherwise;
    throw error;
  }
}

const hints: Readonly<Record<Keystore['kind'], string>> = {
  system: 'Unlock or repair it, or keep the credential in a file: SVC_KEYSTORE=file',
  file: 'Make sure that it and its folder belong to you and are writable, or give the credential in SVC_DEVICE_TOKEN.',
};

async function said<Result>(result: Promise<Result>, { kind }: Pick<Keystore, 'kind'>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof KeystoreError)) throw error;
    throw new CliError('failed', error.message, {
      hint: hints[kind],
      cause: error,
    });
  }
}
