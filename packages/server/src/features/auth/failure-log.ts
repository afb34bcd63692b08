/**
 * Logs wrong passwords and recovery codes, so that operators can detect and block attacks. A line names the account by
 * its id, or an address without an account by a keyed digest. Digests of the same address are equal, and are useless
 * without the key.
 */
import type { AccountKeys } from '#platform/account-keys';
import type { Log } from '#platform/log';
import type { UserRow } from './store.ts';

type KnownUser = Pick<UserRow, 'id'>;

export interface FailureLog {
  login(email: string, user: KnownUser | null, network: string): void;
  recovery(email: string, user: KnownUser | null, network: string): void;
  confirmation(userId: string, network: string): void;
}

export interface FailureLogPorts {
  readonly log: Log;
  readonly accountKeys: AccountKeys;
}

export function createFailureLog({ log, accountKeys }: FailureLogPorts): FailureLog {
  /** The digest is computed for every address, so that the response time reveals nothing. */
  function subjectOf(email: string, user: KnownUser | null) {
    const addressDigest = accountKeys.addressDigest(email);
    return user ? { userId: user.id } : { addressDigest };
  }
  return {
    login: (email, user, network) => log.warn('login failed', { ...subjectOf(email, user), network }),
    recovery: (email, user, network) => log.warn('recovery failed', { ...subjectOf(email, user), network }),
    confirmation: (userId, network) => log.warn('password confirmation failed', { userId, network }),
  };
}
