/**
 * argon2id with bounded capacity.
 *
 * A hash takes 19 MiB and tens of milliseconds of one core. At most four run in parallel, and no more than there are
 * cores. The rest wait in order; past the bound they are rejected with RATE_LIMITED. Without the bound, a flood of
 * logins would take the machine's memory and every core.
 */
import { hash, verify } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { AppError } from '#app-error';
import { createCapacity } from './capacity.ts';
import { unmeasured, type CapacityMeter } from './metrics/metrics.ts';

declare const brand: unique symbol;
/** A PHC string. */
export type PasswordHash = string & { readonly [brand]: 'password hash' };

export interface PasswordHasher {
  /** @throws AppError RATE_LIMITED when too many are waiting. */
  hash(secret: Uint8Array): Promise<PasswordHash>;
  /**
   * True when the secret is the one hashed. With null instead of a hash it takes equally long, and returns false.
   * @throws AppError RATE_LIMITED when too many are waiting.
   */
  verify(stored: PasswordHash | null, secret: Uint8Array): Promise<boolean>;
}

const ARGON2ID = 2;

export interface HashingCost {
  readonly memoryKib: number;
  readonly passes: number;
}

const defaultCost: HashingCost = { memoryKib: 19 * 1024, passes: 2 };

/** A made-up hash of the same cost. No known secret matches it. */
function nobodysHash({ memoryKib, passes }: HashingCost): PasswordHash {
  const parameters = `$argon2id$v=19$m=${memoryKib},t=${passes},p=1`;
  return `${parameters}$Wm9wQ0V2cUx5dDNhS2RzUg$0000000000000000000000000000000000000000000` as PasswordHash;
}

const WAITING_MAX = 256;
const BUSY_RETRY_AFTER_MS = 5000;

export function createPasswordHasher(
  atOnce: number = Math.min(availableParallelism(), 4),
  cost: HashingCost = defaultCost,
  meter: CapacityMeter = unmeasured,
): PasswordHasher {
  const capacity = createCapacity(
    { unitsMax: atOnce, waitingMax: WAITING_MAX, waitingOfOneMax: WAITING_MAX },
    busy,
    meter,
  );
  const run = <Result>(work: () => Promise<Result>) => capacity.run({ owner: '', cost: 1 }, work);
  const options = {
    algorithm: ARGON2ID,
    memoryCost: cost.memoryKib,
    timeCost: cost.passes,
    parallelism: 1,
  };
  const nobodys = nobodysHash(cost);
  return {
    async hash(secret) {
      return (await run(() => hash(secret, options))) as PasswordHash;
    },
    async verify(stored, secret) {
      const matches = await run(() => verify(stored ?? nobodys, secret));
      return stored !== null && matches;
    },
  };
}

function busy(): AppError {
  return new AppError('RATE_LIMITED', {
    message: 'The service is busy. Try again in a few seconds.',
    retryAfterMs: BUSY_RETRY_AFTER_MS,
  });
}
