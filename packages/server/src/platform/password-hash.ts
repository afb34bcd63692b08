/**
 * argon2id in a bounded queue.
 *
 * A hash takes 19 MiB and tens of milliseconds of one core, so only as many run at once as there are cores to spare; the
 * rest wait in order, and past the bound callers are told to come back. Without the bound, a flood of logins would take
 * the machine's memory and every core.
 */
import { hash, verify } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { AppError } from '#app-error';

declare const brand: unique symbol;
/** A PHC string. */
export type PasswordHash = string & { readonly [brand]: 'password hash' };

export interface PasswordHasher {
  /** @throws AppError RATE_LIMITED when too many are waiting. */
  hash(secret: Uint8Array): Promise<PasswordHash>;
  /**
   * True when the secret is the one hashed. With null for the hash it takes as long as with one, and answers false.
   * @throws AppError RATE_LIMITED when too many are waiting.
   */
  verify(stored: PasswordHash | null, secret: Uint8Array): Promise<boolean>;
}

const ARGON2ID = 2;
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Of a random secret that was thrown away, with the same parameters: verifying against it never succeeds. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$Wm9wQ0V2cUx5dDNhS2RzUg$0000000000000000000000000000000000000000000' as PasswordHash;

const WAITING_MAX = 256;
const BUSY_RETRY_AFTER_MS = 5000;

export function createPasswordHasher(atOnce: number = Math.min(availableParallelism(), 4)): PasswordHasher {
  const queue = pLimit(atOnce);
  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (queue.pendingCount >= WAITING_MAX) {
      throw new AppError('RATE_LIMITED', {
        message: 'The service is busy. Try again in a few seconds.',
        retryAfterMs: BUSY_RETRY_AFTER_MS,
      });
    }
    return queue(work);
  }
  return {
    async hash(secret) {
      return (await enqueue(() => hash(secret, PARAMETERS))) as PasswordHash;
    },
    async verify(stored, secret) {
      const matches = await enqueue(() => verify(stored ?? NOBODYS_HASH, secret));
      return stored !== null && matches;
    },
  };
}
