/**
 * The credential in the system's keyring: Keychain, Credential Manager, or a Secret Service over D-Bus.
 *
 * On Linux the kernel's keyring is never used in place of a Secret Service: what is in it is gone after a restart. A
 * keyring may wait for a person to unlock it, so each call has an end.
 */
import { KeystoreError, type Keystore } from './keystore.ts';

/** Long enough to type a password into the dialog that unlocks a keyring. */
const PATIENCE_MS = 60_000;
const NAME = 'svc';

/** @param name under which it is kept; tests have one of their own. */
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
    timer = setTimeout(() => reject(new Error('it does not answer')), PATIENCE_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (cause) {
    throw new KeystoreError('The keyring of this system can not be used.', { cause });
  } finally {
    clearTimeout(timer);
  }
}
