/** Accounts, browser sessions, and the secrets that open them. */
import type { Feature } from '#feature';
import { isAdministratorId } from './administrator.ts';
import { createAccountService, type AccountPorts, type AccountService } from './account-service.ts';
import { authRoutes } from './routes.ts';
import { createAuthService } from './service.ts';
import { createSessionService, type SessionService } from './session-service.ts';

export { isAdministrator, isAdministratorId, isAdministratorMissed } from './administrator.ts';
export { requireAccount } from './service.ts';

export interface AuthFeature extends Feature {
  readonly findSession: SessionService['find'];
  readonly findOpenSessions: SessionService['findOpen'];
  readonly requireConfirmed: SessionService['requireConfirmed'];
  readonly getUser: AccountService['get'];
  readonly requirePassword: AccountService['requirePassword'];
  readonly isAdministrator: (userId: string) => Promise<boolean>;
}

export function createAuth(ports: AccountPorts): AuthFeature {
  const sessions = createSessionService(ports);
  const account = createAccountService(ports, sessions);
  return {
    routes: authRoutes(createAuthService(ports, sessions), account, sessions),
    jobs: [sessions.job],
    findSession: sessions.find,
    findOpenSessions: sessions.findOpen,
    requireConfirmed: sessions.requireConfirmed,
    getUser: account.get,
    requirePassword: account.requirePassword,
    isAdministrator: (userId) => isAdministratorId(ports.database.read, userId, ports.platformAdminEmail),
  };
}
