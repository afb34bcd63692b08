/**
 * The keys of accounts: for the setup token, its hash, and the digest that stands for an email address in the log. They
 * are derived from the master key, and kept when it is replaced. A copy of the database or of the log alone can't be
 * searched for a guessed token or address.
 */
import { createHmac } from 'node:crypto';
import type { DeriveKey } from './kept-keys.ts';
import type { Token } from './tokens.ts';

export interface AccountKeys {
  /** The same on every replica, so that each can write it to its own file. */
  setupToken(nonce: string): Token;
  setupTokenHash(token: string): Uint8Array;
  addressDigest(email: string): string;
}

const DIGEST_BYTES = 16;

export function createAccountKeys(derive: DeriveKey): AccountKeys {
  const tokens = derive('svc setup token');
  const hashes = derive('svc hash of setup token');
  const addresses = derive('svc digests of email addresses');
  return {
    setupToken: (nonce) => createHmac('sha256', tokens).update(nonce).digest('base64url') as Token,
    setupTokenHash: (token) => createHmac('sha256', hashes).update(token).digest(),
    addressDigest: (email) =>
      createHmac('sha256', addresses).update(email).digest().subarray(0, DIGEST_BYTES).toString('base64url'),
  };
}
