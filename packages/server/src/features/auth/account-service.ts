/** What a signed-in person does with their own account. Everything here asks for the password again. */
import { passwordBytes, type User } from '@svc/contract';
import { AppError } from '#app-error';
import type { Tx } from '#platform/database/database';
import { newRecoveryCode } from '#platform/tokens';
import type { FailureLog } from './failure-log.ts';
import { rejectCommonPassword, rejectGuessablePassword } from './new-passwords.ts';
import { hashRecoveryCode, lockAccount, toUser, type AuthPorts } from './service.ts';
import type { SessionService } from './session-service.ts';
import type { SetupService } from './setup-service.ts';
import * as store from './store.ts';
import type { UserRow } from './store.ts';

export interface AccountPorts extends AuthPorts {
  /**
   * Takes the user out of every workspace, and removes the workspaces that are left without members.
   * @throws AppError CONFLICT while others would be left without an owner.
   */
  readonly leaveAllWorkspaces: (tx: Tx, userId: string) => Promise<void>;
}

/** Who asks, from where, and the password they gave as a proof. */
export interface PasswordAgain {
  readonly userId: string;
  /** For the log. */
  readonly network: string;
  readonly password: string;
}

export interface AccountService {
  get(userId: string): Promise<User>;
  /**
   * Its own rate limit, apart from login's: a flood of logins can't keep the owner from confirming, and guesses from a
   * stolen session can't lock the owner out of signing in. A guess needs an open session, so the network isn't counted.
   * @throws AppError FORBIDDEN
   */
  requirePassword(again: PasswordAgain): Promise<UserRow>;
  /** Every session but `keepSessionId` ends. */
  changePassword(
    again: PasswordAgain,
    change: {
      readonly newPassword: string;
      readonly keepSessionId: string;
      readonly revokeDevices: boolean;
    },
  ): Promise<void>;
  replaceRecoveryCode(again: PasswordAgain): Promise<string>;
  delete(again: PasswordAgain): Promise<void>;
}

export function createAccountService(
  ports: AccountPorts,
  sessions: SessionService,
  setup: Pick<SetupService, 'refresh'>,
  failures: FailureLog,
): AccountService {
  const { database, hasher, random, throttles } = ports;

  async function requirePassword({ userId, network, password }: PasswordAgain): Promise<UserRow> {
    const user = await requireUser(userId);
    const right = await throttles.guess([['confirmAccount', user.id]], async () =>
      (await hasher.verify(user.passwordHash, passwordBytes(password))) ? user : null,
    );
    if (right) return right;
    failures.confirmation(user.id, network);
    throw wrongPassword();
  }

  async function requireUser(userId: string): Promise<UserRow> {
    const user = await store.findUser(database.read, userId);
    if (!user) throw new AppError('UNAUTHENTICATED');
    return user;
  }

  return {
    async get(userId) {
      return toUser(await requireUser(userId), ports.platformAdminEmail);
    },

    requirePassword,

    async changePassword(again, { newPassword, keepSessionId, revokeDevices }) {
      const user = await requirePassword(again);
      const chosen = { password: newPassword, email: user.email, path: '/newPassword' } as const;
      await rejectCommonPassword(chosen);
      await rejectGuessablePassword(ports.passwordStrength, chosen, user.displayName);
      const passwordHash = await hasher.hash(passwordBytes(newPassword));
      await database.transaction(async (tx) => {
        await lockAccount(database, tx, user.id);
        if (!(await store.replaceSecret(tx, user.id, user, { passwordHash }))) throw wrongPassword();
        if (revokeDevices) await ports.revokeDevices(tx, user.id);
        await sessions.endAll(tx, user.id, keepSessionId);
      });
    },

    async replaceRecoveryCode(again) {
      const user = await requirePassword(again);
      const code = newRecoveryCode(random);
      const recoveryCodeHash = await hashRecoveryCode(hasher, code);
      await database.transaction(async (tx) => {
        if (!(await store.replaceSecret(tx, user.id, user, { recoveryCodeHash }))) throw wrongPassword();
      });
      return code;
    },

    async delete(again) {
      const user = await requirePassword(again);
      await database.transaction(async (tx) => {
        await lockAccount(database, tx, user.id);
        const present = await store.lockUser(tx, user.id);
        if (present?.passwordHash !== user.passwordHash) throw wrongPassword();
        await ports.revokeDevices(tx, user.id);
        await ports.leaveAllWorkspaces(tx, user.id);
        await sessions.endAll(tx, user.id, null);
        await store.deleteUser(tx, user.id);
      });
      if (user.email === ports.platformAdminEmail) await setup.refresh();
    },
  };
}

function wrongPassword(): AppError {
  return new AppError('FORBIDDEN', { message: 'The password is wrong.' });
}
