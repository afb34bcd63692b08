/**
 * Stores the credential of each service, by its origin.
 *
 * A port with two adapters: the system's keyring, and a file for its owner only. After `write`, a `read` of the same origin
 * returns that credential, in this process and in any later one; a failed `write` keeps the previous one. The credential is
 * a bearer token: no adapter prints it, logs it or puts it into the message of an error.
 */
export interface Keystore {
  readonly kind: 'system' | 'file';
  /** Null when no credential is stored. @throws KeystoreError */
  read(origin: string): Promise<string | null>;
  /** @throws KeystoreError */
  write(origin: string, credential: string): Promise<void>;
  /**
   * False when no credential was stored.
   * @throws KeystoreError
   */
  remove(origin: string): Promise<boolean>;
}

/** The keystore cannot be used: it does not exist, is locked, does not respond, or denies access. */
export class KeystoreError extends Error {
  override readonly name = 'KeystoreError';
}
