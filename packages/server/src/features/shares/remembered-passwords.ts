/**
 * Passwords that were right a short while ago, so that a reader does not cause a hash at every request.
 *
 * An entry is a digest over the link, its stored hash and the password, under a key that exists only in this process.
 * It reveals nothing about the password, and no longer matches once the link has another password. An entry expires
 * some time after the password was checked; reading does not prolong it.
 */
import { createHmac, createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { atMost } from '#platform/cache-limit';
import type { Clock } from '#platform/clock';
import type { PasswordHash } from '#platform/password-hash';
import type { Random } from '#platform/random';

const REMEMBERED_MS = 5 * 60_000;
/** About two megabytes. */
const REMEMBERED_MAX = 10_000;
const KEY_BYTES = 32;

export interface RememberedPasswords {
  /** The digest under which the password of a link is remembered here. */
  digest(linkId: string, stored: PasswordHash, secret: Uint8Array): string;
  has(digest: string): boolean;
  remember(digest: string): void;
}

export function createRememberedPasswords(clock: Clock, random: Random): RememberedPasswords {
  // A key object is prepared once; bytes would be prepared at every request, which takes several times as long.
  const key = createSecretKey(random.bytes(KEY_BYTES));
  const checkedAt = new LRUCache<string, number>(atMost(REMEMBERED_MAX));
  return {
    digest(linkId, stored, secret) {
      // Ids and hashes contain no NUL, so different triples never have the same text.
      const hmac = createHmac('sha256', key).update(`${linkId}\0${stored}\0`);
      return hmac.update(secret).digest('base64url');
    },
    has(digest) {
      const at = checkedAt.get(digest);
      if (at === undefined) return false;
      const ageMs = clock.now() - at;
      // After a clock stepped back, the age is negative, and the entry might last for an unknown time.
      if (ageMs >= 0 && ageMs < REMEMBERED_MS) return true;
      checkedAt.delete(digest);
      return false;
    },
    remember(digest) {
      checkedAt.set(digest, clock.now());
    },
  };
}
