/**
 * The keys of shares. A fingerprint is told under a key of the share, so that it can be followed within that share and
 * compared with nothing outside it. The key follows from the master key and the share's id: nothing of it is kept.
 */
import { deriveKey } from './sealing.ts';

export interface ShareKeys {
  fingerprintKey(shareId: string): Uint8Array;
}

export function createShareKeys(masterKey: Uint8Array): ShareKeys {
  const parent = deriveKey(masterKey, 'svc keys of shares');
  return { fingerprintKey: (shareId) => deriveKey(parent, `fingerprints ${shareId}`) };
}
