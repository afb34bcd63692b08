/**
 * The keys of shares. A share shows fingerprints as digests under its key, so that they can be followed within that share
 * and compared with nothing outside it. The key is derived from a kept key (kept-keys.ts) and the share's id, and not
 * stored.
 */
import type { DeriveKey } from './kept-keys.ts';
import { deriveKey } from './sealing.ts';

export interface ShareKeys {
  fingerprintKey(shareId: string): Uint8Array;
  /** Authenticates unlock tokens. */
  unlockKey(shareId: string): Uint8Array;
}

export function createShareKeys(derive: DeriveKey): ShareKeys {
  const parent = derive('svc keys of shares');
  return {
    fingerprintKey: (shareId) => deriveKey(parent, `fingerprints ${shareId}`),
    unlockKey: (shareId) => deriveKey(parent, `unlock ${shareId}`),
  };
}
