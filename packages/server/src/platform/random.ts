/** Randomness as a port. Every unguessable value in the service comes from here. */
import { randomFillSync } from 'node:crypto';

export interface Random {
  /** `count` bytes that nobody can predict. */
  bytes(count: number): Uint8Array;
}

/** Bytes are fetched in bulk, because the operating system takes as long for a few as for this many. */
const POOL_BYTES = 4096;

export const systemRandom: Random = createSystemRandom();

function createSystemRandom(): Random {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return {
    bytes(count) {
      if (count > POOL_BYTES) return randomFillSync(new Uint8Array(count));
      if (used + count > POOL_BYTES) {
        randomFillSync(pool);
        used = 0;
      }
      const given = pool.slice(used, used + count);
      // Erased here, so that the returned bytes exist nowhere else.
      pool.fill(0, used, used + count);
      used += count;
      return given;
    },
  };
}
