/**
 * Wrong passwords and recovery codes in the log, so that operators can see and block attacks. A line names the account by
 * its id, or an address without an account by a keyed digest: equal for equal addresses, and of no use without the key.
 */
import type { AccountKeys } from '#platform/account-keys';
import type { Log } from '#platform/log';

interface Found {
  readonly id: string;
}

export interface FailureLog {
  login(email: string, user: Found | null, network: string): void;
  recovery(email: string, user: Found | null, network: string): void;
  confirmation(userId: string, network: string): void;
}

export function createFailureLog({
  log,
  accountKeys,
}: {
  readonly log: Log;
  readonly accountKeys: AccountKeys;
}): FailureLog {
  /** The digest is made for every address, so that time tells nothing. */
  function subjectOf(email: string, user: Found | null) {
    const addressDigest = accountKeys.addressDigest(email);
    return user ? { userId: user.id } : { addressDigest };
  }
  return {
    login: (email, user, network) => log.warn('login failed', { ...subjectOf(email, user), network }),
    recovery: (email, user, network) => log.warn('recovery failed', { ...subjectOf(email, user), network }),
    confirmation: (userId, network) => log.warn('password confirmation failed', { userId, network }),
  };
}
