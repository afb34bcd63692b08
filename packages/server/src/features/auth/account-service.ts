/** What a signed-in person does with their own account. Every action here requires the password again. */
import { passwordBytes } from '@svc/contract';
import type { Tx } from '#platform/database/database';
import { newRecoveryCode } from '#platform/tokens';
import { wrongPassword, type IdentityService, type PasswordAgain } from './identity-service.ts';
import { rejectCommonPassword, rejectGuessablePassword } from './new-passwords.ts';
import { hashRecoveryCode, lockAccount, type AuthPorts } from './service.ts';
import type { SetupService } from './setup-service.ts';
import * as store from './store.ts';

export interface AccountPorts extends AuthPorts {
  /**
   * Removes the user from every workspace, and deletes workspaces without remaining members.
   * @throws AppError CONFLICT if a workspace with other members would be left without an owner.
   */
  readonly leaveAllWorkspaces: (tx: Tx, userId: string) => Promise<void>;
}

export interface AccountService {
  /** Ends every session except `keepSessionId`. */
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
  { sessions, requirePassword }: IdentityService,
  setup: Pick<SetupService, 'refresh'>,
): AccountService {
  const { database, hasher, random } = ports;

  return {
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
