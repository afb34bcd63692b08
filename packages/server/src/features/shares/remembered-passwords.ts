/**
 * Passwords that were right a short while ago, so that a reader does not pay for a hash at every request.
 *
 * What is kept is a digest under a key that lives as long as the process, over the link, its stored hash and the password:
 * it tells nothing of the password, and once the link has another password nothing finds it. When it is forgotten is told
 * by the clock, from the time at which the password was checked; reading does not prolong it.
 */
import { createHmac, createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock';
import type { PasswordHash } from '#platform/password-hash';
import type { Random } from '#platform/random';

const REMEMBERED_MS = 5 * 60_000;
/** About two megabytes. */
const REMEMBERED_MAX = 10_000;
const KEY_BYTES = 32;

export interface RememberedPasswords {
  /** What a password at a link is known by here. */
  digest(linkId: string, stored: PasswordHash, secret: Uint8Array): string;
  has(digest: string): boolean;
  remember(digest: string): void;
}

export function createRememberedPasswords(clock: Clock, random: Random): RememberedPasswords {
  // As an object it is made ready once; from bytes it would be at every request, which takes several times as long.
  const key = createSecretKey(random.bytes(KEY_BYTES));
  // By size, since for a number of entries the cache takes the memory of all of them from the start.
  const checkedAt = new LRUCache<string, number>({ maxSize: REMEMBERED_MAX, sizeCalculation: () => 1 });
  return {
    digest(linkId, stored, secret) {
      // Neither an id nor a hash holds a NUL, so no two triples read alike.
      const hmac = createHmac('sha256', key).update(`${linkId}\0${stored}\0`);
      return hmac.update(secret).digest('base64url');
    },
    has(digest) {
      const at = checkedAt.get(digest);
      if (at === undefined) return false;
      const ageMs = clock.now() - at;
      // A negative age is that of a clock which has stepped back: nobody knows for how long it would last.
      if (ageMs >= 0 && ageMs < REMEMBERED_MS) return true;
      checkedAt.delete(digest);
      return false;
    },
    remember(digest) {
      checkedAt.set(digest, clock.now());
    },
  };
}
