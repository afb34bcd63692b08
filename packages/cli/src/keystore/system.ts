/**
 * Stores the credential in the system's keyring: Keychain, Credential Manager, or a Secret Service over D-Bus.
 *
 * On Linux the kernel's keyring never replaces a Secret Service, because it is empty after a restart. A keyring may wait for
 * a person to unlock it, so each call has a time limit.
 */
import { KeystoreError, type Keystore } from './keystore.ts';
import { MINUTE_MS } from '../time.ts';

/** Long enough to type a password into the dialog that unlocks a keyring. */
const PATIENCE_MS = MINUTE_MS;
const NAME = 'svc';

/** @param name of the entry in the keyring; tests use their own. */
export function createSystemKeystore(name: string = NAME): Keystore {
  const entry = async (origin: string) => {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    return new AsyncEntry(name, origin, { linux: { store: 'secret-service' } });
  };
  return {
    kind: 'system',
    read: (origin) => guarded(async () => (await (await entry(origin)).getPassword()) ?? null),
    write: (origin, credential) => guarded(async () => (await entry(origin)).setPassword(credential)),
    remove: (origin) => guarded(async () => (await entry(origin)).deleteCredential()),
  };
}

async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it does not respond')), PATIENCE_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (cause) {
    throw new KeystoreError('The keyring of this system cannot be used.', { cause });
  } finally {
    clearTimeout(timer);
  }
}
