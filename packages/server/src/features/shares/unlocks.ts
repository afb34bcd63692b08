/**
 * Unlock tokens: proof that the bearer knew a share's password a short while ago, so that a browser need not keep it.
 *
 * A token consists of its expiry time and an HMAC over the share, its stored password hash, the version of its policies
 * and that time. The key follows from the share's id, so every replica accepts it and nothing is stored. A new
 * password, a new policy, new principals or the expiry makes it invalid.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { limits } from '@svc/contract';
import type { Clock } from '#platform/clock';
import type { PasswordHash } from '#platform/password-hash';
import type { ShareKeys } from '#platform/share-keys';

export interface UnlockableShare {
  readonly id: string;
  /** A new hash has a new salt, so it identifies the version of the password. */
  readonly passwordHash: PasswordHash | null;
  readonly policyVersion: number;
}

export interface ShareUnlocks {
  /** @param endsAt the time at which the share ends. */
  issue(share: UnlockableShare, endsAt: number): { readonly unlockToken: string; readonly expiresAt: number };
  isValid(share: UnlockableShare, token: string): boolean;
}

const FORM = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/;
const BASE = 36;

export function createShareUnlocks({
  clock,
  shareKeys,
}: {
  readonly clock: Clock;
  readonly shareKeys: ShareKeys;
}): ShareUnlocks {
  function proofOf({ id, passwordHash, policyVersion }: UnlockableShare, expiresAt: number): Buffer {
    return createHmac('sha256', shareKeys.unlockKey(id))
      .update(JSON.stringify([id, passwordHash, policyVersion, expiresAt]))
      .digest();
  }

  return {
    issue(share, endsAt) {
      const expiresAt = Math.min(clock.now() + limits.share.unlockLifetimeMs, endsAt);
      const proof = proofOf(share, expiresAt).toString('base64url');
      return { unlockToken: `${expiresAt.toString(BASE)}.${proof}`, expiresAt };
    },
    isValid(share, token) {
      const [, end = '', proof = ''] = FORM.exec(token) ?? [];
      const expiresAt = Number.parseInt(end, BASE);
      if (!(expiresAt > clock.now())) return false;
      return timingSafeEqual(Buffer.from(proof, 'base64url'), proofOf(share, expiresAt));
    },
  };
}
