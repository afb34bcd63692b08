/**
 * Where the credential of a service is kept: one for each origin.
 *
 * A port with two adapters: the system's keyring, and a file for its owner alone. After `write` a `read` of the same
 * origin gives that credential, in this process and in any later one; a failed `write` leaves what was there before.
 * The credential is a bearer token: no adapter prints it, logs it or puts it into the message of an error.
 */
export interface Keystore {
  readonly kind: 'system' | 'file';
  /** Null when there is none. @throws KeystoreError */
  read(origin: string): Promise<string | null>;
  /** @throws KeystoreError */
  write(origin: string, credential: string): Promise<void>;
  /** False when there was none. @throws KeystoreError */
  remove(origin: string): Promise<boolean>;
}

/** The keystore can not be used: there is none, it is locked, it does not answer, or it may not be read. */
export class KeystoreError extends Error {
  override readonly name = 'KeystoreError';
}
