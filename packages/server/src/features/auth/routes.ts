/** Accounts and sessions over HTTP. */
import { endpoints } from '@svc/contract';
import { AppError } from '#app-error';
import { created, ok, route, type Route } from '#http/route';
import type { AccountService } from './account-service.ts';
import type { IdentityService } from './identity-service.ts';
import type { AuthService } from './service.ts';

export function authRoutes(
  auth: AuthService,
  account: AccountService,
  { sessions, getUser, requirePassword }: IdentityService,
): Route[] {
  return [
    route(endpoints.signUp, async ({ body, network, isLocal, client, sessionCookie }) => {
      const { user, recoveryCode, sessionToken } = await auth.signUp(body, { network, isLocal, client });
      sessionCookie.set(sessionToken);
      return created({ user, recoveryCode });
    }),
    route(endpoints.logIn, async ({ body, network, client, sessionCookie }) => {
      const { user, sessionToken } = await auth.logIn(body, { network, client });
      sessionCookie.set(sessionToken);
      return ok({ user });
    }),
    route(endpoints.recover, async ({ body, network, client, sessionCookie }) => {
      const { user, recoveryCode, sessionToken } = await auth.recover(body, { network, client });
      sessionCookie.set(sessionToken);
      return ok({ user, recoveryCode });
    }),
    route(endpoints.logOut, async ({ principal, sessionCookie }) => {
      if (principal) await sessions.end(principal.userId, principal.sessionId);
      sessionCookie.clear();
      return ok({ loggedOut: true });
    }),
    route(endpoints.getSession, async ({ principal }) => ok({ user: await getUser(principal.userId) })),
    route(endpoints.confirmSession, async ({ principal, body, network }) => {
      await requirePassword({ userId: principal.userId, network, ...body });
      await sessions.confirm(principal.sessionId);
      return ok({ confirmed: true });
    }),
    route(endpoints.listSessions, async ({ principal }) =>
      ok({ sessions: await sessions.list(principal.userId, principal.sessionId) }),
    ),
    route(endpoints.revokeSession, async ({ principal, params }) => {
      if (!(await sessions.end(principal.userId, params.id))) throw new AppError('NOT_FOUND');
      return ok({ sessionId: params.id, revoked: true });
    }),
    route(endpoints.changePassword, async ({ principal, body, network }) => {
      const { password, newPassword, revokeDevices = false } = body;
      await account.changePassword(
        { userId: principal.userId, network, password },
        { newPassword, keepSessionId: principal.sessionId, revokeDevices },
      );
      return ok({ changed: true });
    }),
    route(endpoints.replaceRecoveryCode, async ({ principal, body, network }) =>
      ok({ recoveryCode: await account.replaceRecoveryCode({ userId: principal.userId, network, ...body }) }),
    ),
    route(endpoints.deleteAccount, async ({ principal, body, network, sessionCookie }) => {
      await account.delete({ userId: principal.userId, network, ...body });
      sessionCookie.clear();
      return ok({ userId: principal.userId, deleted: true });
    }),
  ];
}
