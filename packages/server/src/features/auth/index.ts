/** Accounts, browser sessions, and the secrets that open them. */
import type { Feature } from '#feature';
import { createAccountService, type AccountPorts, type AccountService } from './account-service.ts';
import { authRoutes } from './routes.ts';
import { createAuthService } from './service.ts';
import { createSessionService, type SessionService } from './session-service.ts';

export { requireAccount } from './service.ts';

export interface AuthFeature extends Feature {
  readonly findSession: SessionService['find'];
  readonly findOpenSessions: SessionService['findOpen'];
  readonly getUser: AccountService['get'];
}

export function createAuth(ports: AccountPorts): AuthFeature {
  const sessions = createSessionService(ports);
  const account = createAccountService(ports, sessions);
  return {
    routes: authRoutes(createAuthService(ports, sessions), account, sessions),
    jobs: [sessions.job],
    findSession: sessions.find,
    findOpenSessions: sessions.findOpen,
    getUser: account.get,
  };
}
