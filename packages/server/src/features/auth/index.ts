/** Accounts, browser sessions, and the secrets that authenticate them. */
import type { Feature } from '#feature';
import { createAccountService, type AccountPorts } from './account-service.ts';
import type { IdentityService } from './identity-service.ts';
import { authRoutes } from './routes.ts';
import { createAuthService } from './service.ts';
import { createSetupService, type SetupPorts, type SetupService } from './setup-service.ts';

export { isAdministrator, isAdministratorId, isAdministratorMissed } from './administrator.ts';
export {
  createEndingService as createSessionEnding,
  findAccountId,
  type AccountName,
} from './ending-service.ts';
export { createIdentityService as createIdentity } from './identity-service.ts';
export { requireAccount } from './service.ts';
export type { PendingSetup } from './setup-service.ts';

export interface AuthFeature extends Feature {
  readonly prepareSetup: SetupService['prepare'];
}

export function createAuth(ports: AccountPorts & SetupPorts, identity: IdentityService): AuthFeature {
  const setup = createSetupService(ports);
  const auth = createAuthService(ports, identity, setup);
  const account = createAccountService(ports, identity, setup);
  return {
    routes: authRoutes(auth, account, identity),
    jobs: [identity.sessions.job, ...setup.jobs],
    prepareSetup: setup.prepare,
  };
}
