/**
 * Which keystore is used. `SVC_KEYSTORE` forces one; otherwise the system's keyring is preferred, and the file takes over
 * where there is none. The file is looked into first, since that is cheap and never asks anybody anything.
 */
import type { Environment } from '../environment.ts';
import { CliError } from '../errors.ts';
import { createFileKeystore } from './file.ts';
import { KeystoreError, type Keystore } from './keystore.ts';
import { createSystemKeystore } from './system.ts';

export interface Credentials {
  /** Null when there is none. @throws CliError when it can not be read. */
  read(origin: string): Promise<string | null>;
  /** @returns which keystore has it now. @throws CliError when it can not be kept. */
  write(origin: string, credential: string): Promise<Keystore['kind']>;
  /** From wherever it is. False when there was none. */
  remove(origin: string): Promise<boolean>;
}

/** @throws CliError when `SVC_KEYSTORE` names no keystore. */
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
    throw new CliError('usage', 'SVC_KEYSTORE names no keystore.', { hint: 'Set it to `system` or `file`.' });
  }
  return {
    read: async (origin) => (await said(file.read(origin))) ?? unlessUnusable(system.read(origin), null),
    async write(origin, credential) {
      try {
        await system.write(origin, credential);
        // A keyring may take a secret and lose it: what can not be read again was not kept.
        if ((await system.read(origin)) !== credential) throw new KeystoreError('It was not kept.');
      } catch (error) {
        if (!(error instanceof KeystoreError)) throw error;
        await said(file.write(origin, credential));
        return 'file';
      }
      await said(file.remove(origin));
      return 'system';
    },
    async remove(origin) {
      const fromFile = await said(file.remove(origin));
      return (await unlessUnusable(system.remove(origin), false)) || fromFile;
    },
  };
}

function only(keystore: Keystore): Credentials {
  return {
    read: (origin) => said(keystore.read(origin)),
    write: async (origin, credential) => {
      await said(keystore.write(origin, credential));
      return keystore.kind;
    },
    remove: (origin) => said(keystore.remove(origin)),
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

async function said<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof KeystoreError)) throw error;
    throw new CliError('failed', error.message, {
      hint: 'Unlock or repair it, or set SVC_KEYSTORE to `file` or `system`, or give the credential in SVC_DEVICE_TOKEN.',
      cause: error,
    });
  }
}
