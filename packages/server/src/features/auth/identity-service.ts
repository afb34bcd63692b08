/**
 * Who is asking, and proof of it: open sessions, the account of a session, and the password as confirmation. Features
 * that need this proof depend on this service. Sign-up and account changes depend on those features in turn.
 */
import { passwordBytes, type User } from '@svc/contract';
import { AppError } from '#app-error';
import type { Database } from '#platform/database/database';
import type { PasswordHasher } from '#platform/password-hash';
import type { Throttles } from '#platform/throttles';
import { isAdministratorId } from './administrator.ts';
import { createFailureLog, type FailureLog, type FailureLogPorts } from './failure-log.ts';
import { createSessionService, type SessionPorts, type SessionService } from './session-service.ts';
import * as store from './store.ts';
import type { UserRow } from './store.ts';
import { toUser } from './user.ts';

export interface IdentityPorts extends SessionPorts, FailureLogPorts {
  readonly database: Database;
  readonly hasher: PasswordHasher;
  readonly throttles: Throttles;
  readonly platformAdminEmail: string | null;
}

/** Who asks, from which network, and the password as confirmation. */
export interface PasswordAgain {
  readonly userId: string;
  /** The network, for the log. */
  readonly network: string;
  readonly password: string;
}

export interface IdentityService {
  readonly sessions: SessionService;
  readonly failures: FailureLog;
  /** @throws AppError UNAUTHENTICATED when the account no longer exists. */
  getUser(userId: string): Promise<User>;
  isAdministrator(userId: string): Promise<boolean>;
  /**
   * Checks the password. Login has a separate rate limit: a flood of logins can't keep the owner from confirming, and
   * guesses from a stolen session can't lock the owner out of signing in. A guess needs an open session, so guesses are
   * not counted by network.
   * @throws AppError FORBIDDEN for a wrong password; RATE_LIMITED; UNAUTHENTICATED when the account no longer exists.
   */
  requirePassword(again: PasswordAgain): Promise<UserRow>;
}

export function createIdentityService(ports: IdentityPorts): IdentityService {
  const { database, hasher, throttles, platformAdminEmail } = ports;
  const failures = createFailureLog(ports);

  async function requireUser(userId: string): Promise<UserRow> {
    const user = await store.findUser(database.read, userId);
    if (!user) throw new AppError('UNAUTHENTICATED');
    return user;
  }

  return {
    sessions: createSessionService(ports),
    failures,
    getUser: async (userId) => toUser(await requireUser(userId), platformAdminEmail),
    isAdministrator: (userId) => isAdministratorId(database.read, userId, platformAdminEmail),

    async requirePassword({ userId, network, password }) {
      const user = await requireUser(userId);
      const right = await throttles.guess([['confirmAccount', user.id]], async () =>
        (await hasher.verify(user.passwordHash, passwordBytes(password))) ? user : null,
      );
      if (right) return right;
      failures.confirmation(user.id, network);
      throw wrongPassword();
    },
  };
}

export function wrongPassword(): AppError {
  return new AppError('FORBIDDEN', { message: 'The password is wrong.' });
}
