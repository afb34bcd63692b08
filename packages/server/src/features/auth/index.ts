/** Accounts, browser sessions, and the secrets that open them. */
import type { Feature } from '#feature';
import { isAdministratorId } from './administrator.ts';
import { createAccountService, type AccountPorts, type AccountService } from './account-service.ts';
import { authRoutes } from './routes.ts';
import { createFailureLog } from './failure-log.ts';
import { createAuthService } from './service.ts';
import { createSessionService, type SessionService } from './session-service.ts';
import { createSetupService, type SetupPorts, type SetupService } from './setup-service.ts';

export { isAdministrator, isAdministratorId, isAdministratorMissed } from './administrator.ts';
export { requireAccount } from './service.ts';
export type { PendingSetup } from './setup-service.ts';

export interface AuthFeature extends Feature {
  readonly findSession: SessionService['find'];
  readonly findOpenSessions: SessionService['findOpen'];
  readonly requireConfirmed: SessionService['requireConfirmed'];
  readonly getUser: AccountService['get'];
  readonly requirePassword: AccountService['requirePassword'];
  readonly isAdministrator: (userId: string) => Promise<boolean>;
  readonly prepareSetup: SetupService['prepare'];
}

export function createAuth(ports: AccountPorts & SetupPorts): AuthFeature {
  const sessions = createSessionService(ports);
  const setup = createSetupService(ports);
  const failures = createFailureLog(ports);
  const account = createAccountService(ports, sessions, setup, failures);
  return {
    routes: authRoutes(createAuthService(ports, sessions, setup, failures), account, sessions),
    jobs: [sessions.job, ...setup.jobs],
    findSession: sessions.find,
    findOpenSessions: sessions.findOpen,
    requireConfirmed: sessions.requireConfirmed,
    getUser: account.get,
    requirePassword: account.requirePassword,
    prepareSetup: setup.prepare,
    isAdministrator: (userId) => isAdministratorId(ports.database.read, userId, ports.platformAdminEmail),
  };
}
