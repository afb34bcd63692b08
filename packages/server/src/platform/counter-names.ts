/**
 * The names of counters in a store outside the deployment: digests under a key that is derived from the first master
 * key and never stored unsealed (kept-keys.ts). So nobody with only the store can check a guess of an address, and
 * deployments that share the store share no counter.
 */
import { createHmac } from 'node:crypto';
import type { DeriveKey } from './kept-keys.ts';

export type CounterNames = (key: string) => string;

const DIGEST_BYTES = 16;

export function createCounterNames(derive: DeriveKey): CounterNames {
  const secret = derive('svc names of counters');
  return (key) =>
    createHmac('sha256', secret).update(key).digest().subarray(0, DIGEST_BYTES).toString('base64url');
}
