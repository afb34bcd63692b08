/** Randomness as a port. Everything unguessable in the service comes from here. */
import { randomBytes } from 'node:crypto';

export interface Random {
  /** `count` bytes that nobody can predict. */
  bytes(count: number): Uint8Array;
}

export const systemRandom: Random = { bytes: (count) => randomBytes(count) };
