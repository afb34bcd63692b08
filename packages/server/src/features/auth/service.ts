/**
 * Sign-up, login and recovery.
 *
 * When a guess is checked, an unknown account costs the same work and gets the same response as a wrong secret. Hashing
 * is slow, so it runs outside transactions. A transaction then makes sure that the verified hash is still stored.
 */
import { normalizeEmail, passwordBytes, type User } from '@svc/contract';
import { AppError } from '#app-error';
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Ids } from '#platform/ids';
import type { PasswordHash, PasswordHasher } from '#platform/password-hash';
import type { PasswordStrength } from '#platform/password-strength';
import type { Random } from '#platform/random';
import type { Throttles } from '#platform/throttles';
import { newRecoveryCode, normalizeRecoveryCode, type Token } from '#platform/tokens';
import type { IdentityService } from './identity-service.ts';
import { rejectCommonPassword, rejectGuessablePassword } from './new-passwords.ts';
import type { SignInClient } from './session-service.ts';
import type { SetupService } from './setup-service.ts';
import { requireAdmission, type AdmissionPorts } from './admission.ts';
import * as store from './store.ts';
import type { UserRow } from './store.ts';
import { toUser } from './user.ts';

export interface AuthPorts extends AdmissionPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly hasher: PasswordHasher;
  readonly throttles: Throttles;
  readonly passwordStrength: PasswordStrength;
  /** Creates the personal workspace of a new account. */
  readonly createPersonalWorkspace: (tx: Tx, userId: string) => Promise<void>;
  /** Called for each new account, within the transaction that creates it. */
  readonly onAccountCreated: (
    tx: Tx,
    account: { readonly userId: string; readonly email: string },
  ) => Promise<void>;
  /** Revokes the account's devices within the transaction. The audit logs of the user's workspaces record it. */
  readonly revokeDevices: (tx: Tx, userId: string) => Promise<number>;
  readonly platformAdminEmail: string | null;
}

/** Where a request comes from. Rate limits count by its network, and the session stores network and client. */
export interface Caller {
  readonly network: string;
  readonly client: SignInClient;
}

export interface SignedIn {
  readonly user: User;
  readonly sessionToken: Token;
}

export interface AuthService {
  signUp(
    given: {
      readonly email: string;
      readonly password: string;
      readonly displayName?: string;
      readonly setupToken?: string;
      readonly invitation?: string;
    },
    caller: Caller & { readonly isLocal: boolean },
  ): Promise<SignedIn & { readonly recoveryCode: string }>;
  logIn(given: { readonly email: string; readonly password: string }, caller: Caller): Promise<SignedIn>;
  recover(
    given: {
      readonly email: string;
      readonly recoveryCode: string;
      readonly newPassword: string;
      readonly keepDevices?: boolean;
    },
    caller: Caller,
  ): Promise<SignedIn & { readonly recoveryCode: string }>;
}

export function createAuthService(
  ports: AuthPorts,
  { sessions, failures }: IdentityService,
  setup: SetupService,
): AuthService {
  const { database, clock, hasher, ids, random, throttles } = ports;

  return {
    async signUp(
      { email: typedEmail, password, displayName: typedName, setupToken, invitation },
      { network, isLocal, client },
    ) {
      await throttles.charge(['signupNetwork', network]);
      const email = normalizeEmail(typedEmail);
      const displayName = typedName?.trim() ?? (email.split('@')[0] ?? email).slice(0, 80);
      // Both are always queried: a wrong setup token must take the same time as a taken address.
      const isTaken = await store.isAddressTaken(database.read, email);
      const verdict = await setup.judge(email, { setupToken, isLocal });
      await requireAdmission(ports, verdict, invitation);
      const chosen = { password, email, path: '/password' } as const;
      await rejectCommonPassword(chosen);
      await rejectGuessablePassword(ports.passwordStrength, chosen, displayName);
      if (isTaken || verdict.kind === 'denied') throw taken();
      const becomesAdministrator = verdict.kind === 'admitted';
      const recoveryCode = newRecoveryCode(random);
      const user: UserRow = {
        id: ids.timed('usr'),
        email,
        displayName,
        passwordHash: await hasher.hash(passwordBytes(password)),
        recoveryCodeHash: await hashRecoveryCode(hasher, recoveryCode),
        adminFlag: becomesAdministrator ? 1 : 0,
        createdAt: clock.now(),
      };
      const sessionToken = await database.transaction(async (tx) => {
        if (becomesAdministrator && !(await setup.spend(tx, verdict.spends))) throw taken();
        if (!(await store.insertUser(tx, user))) throw taken();
        await ports.onAccountCreated(tx, { userId: user.id, email });
        await ports.createPersonalWorkspace(tx, user.id);
        return sessions.begin(tx, user.id, client);
      });
      if (becomesAdministrator) await setup.refresh();
      return { user: toUser(user, ports.platformAdminEmail), recoveryCode, sessionToken };
    },

    async logIn({ email: typedEmail, password }, { network, client }) {
      const email = normalizeEmail(typedEmail);
      const signedIn = await throttles.guess(
        [
          ['loginNetwork', network],
          ['loginAccount', email],
        ],
        async () => {
          const user = await store.findUserByEmail(database.read, email);
          const matches = await hasher.verify(user?.passwordHash ?? null, passwordBytes(password));
          if (!user || !matches) {
            failures.login(email, user, network);
            return null;
          }
          const sessionToken = await database.transaction(async (tx) => {
            const present = await store.lockUser(tx, user.id);
            return present?.passwordHash === user.passwordHash ? sessions.begin(tx, user.id, client) : null;
          });
          return sessionToken && { user: toUser(user, ports.platformAdminEmail), sessionToken };
        },
      );
      return signedIn ?? wrongSecret();
    },

    async recover(
      { email: typedEmail, recoveryCode: typedCode, newPassword, keepDevices = false },
      { network, client },
    ) {
      const email = normalizeEmail(typedEmail);
      const chosen = { password: newPassword, email, path: '/newPassword' } as const;
      await rejectCommonPassword(chosen);
      const signedIn = await throttles.guess(
        [
          ['recoverNetwork', network],
          ['recoverAccount', email],
        ],
        async () => {
          const user = await store.findUserByEmail(database.read, email);
          const matches = await hasher.verify(user?.recoveryCodeHash ?? null, recoveryCodeBytes(typedCode));
          if (!user || !matches) {
            failures.recovery(email, user, network);
            return null;
          }
          await rejectGuessablePassword(ports.passwordStrength, chosen, user.displayName);
          const recoveryCode = newRecoveryCode(random);
          const secrets = {
            passwordHash: await hasher.hash(passwordBytes(newPassword)),
            recoveryCodeHash: await hashRecoveryCode(hasher, recoveryCode),
          };
          const sessionToken = await database.transaction(async (tx) => {
            // An approval under way waits for this lock, and then finds that its session has ended.
            await lockAccount(database, tx, user.id);
            if (!(await store.replaceSecrets(tx, user.id, user, secrets))) return null;
            if (!keepDevices) await ports.revokeDevices(tx, user.id);
            await sessions.endAll(tx, user.id, null);
            return sessions.begin(tx, user.id, client);
          });
          return sessionToken && { user: toUser(user, ports.platformAdminEmail), recoveryCode, sessionToken };
        },
      );
      return signedIn ?? wrongSecret();
    },
  };
}

/**
 * Checks that the account of a command exists: it may have been deleted since the request's credential was accepted.
 * Also takes a named lock that the deletion of the account takes too. A lock of the account's row would not be enough.
 * Inserts of rows that refer to the account do not queue for it, so enough of them could block the deletion forever.
 * @throws AppError UNAUTHENTICATED
 */
export async function requireAccount(
  locks: Pick<Database, 'lockNames'>,
  tx: Tx,
  userId: string,
): Promise<void> {
  await lockAccount(locks, tx, userId);
  if (!(await store.findUser(tx, userId))) throw new AppError('UNAUTHENTICATED');
}

/** Until the transaction ends, others that take this lock wait. The deletion of the account is one of them. */
export async function lockAccount(locks: Pick<Database, 'lockNames'>, tx: Tx, userId: string): Promise<void> {
  await locks.lockNames(tx, [`account ${userId}`]);
}

export function hashRecoveryCode(hasher: PasswordHasher, code: Token): Promise<PasswordHash> {
  return hasher.hash(recoveryCodeBytes(code));
}

function recoveryCodeBytes(code: string): Uint8Array {
  return new TextEncoder().encode(normalizeRecoveryCode(code));
}

function taken(): AppError {
  return new AppError('CONFLICT', {
    message: 'This email address already has an account. Sign in, or recover the account.',
  });
}

function wrongSecret(): never {
  throw new AppError('UNAUTHENTICATED', {
    message: 'The email address or the secret is wrong.',
  });
}
