/** Authentication. One table says which credentials each kind of endpoint accepts; anything else is rejected. */
import { checksOrigin, takesSession, type Credential, type Endpoint } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#app-error';
import { sessionCookieOf, type SessionCookieGiven } from '#http/cookies';
import { rejectCrossSite, type OriginOptions } from '#http/origin';
import { isDeviceToken, isSessionToken, tokenKey, type TokenKey } from '#platform/tokens';
import type { DevicePrincipal, SessionPrincipal } from '#principal';

export type PrincipalOf<C extends Credential> = C extends 'session'
  ? SessionPrincipal
  : C extends 'device'
    ? DevicePrincipal
    : C extends 'sessionOrDevice'
      ? SessionPrincipal | DevicePrincipal
      : C extends 'optionalSession'
        ? SessionPrincipal | null
        : null;

export type Principal = SessionPrincipal | DevicePrincipal | null;

/** Looks up credentials by the key of their token, and further facts about an account. */
export interface CredentialLookup {
  /** Null for an unknown, ended or expired session. */
  session(key: TokenKey): Promise<SessionPrincipal | null>;
  device(key: TokenKey): Promise<{ readonly principal: DevicePrincipal; readonly revoked: boolean } | null>;
  isAdministrator(userId: string): Promise<boolean>;
  /** The sessions among these that are open, with the time of their end. */
  openSessions(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export interface CredentialOptions extends OriginOptions {
  readonly lookup: CredentialLookup;
}

/** What each kind of endpoint accepts as a credential. */
const accepted: Readonly<Record<Exclude<Credential, 'none'>, readonly ('session' | 'device')[]>> = {
  optionalSession: ['session'],
  session: ['session'],
  device: ['device'],
  sessionOrDevice: ['session', 'device'],
};

const noCookie: SessionCookieGiven = { token: undefined, count: 0 };

/**
 * @throws AppError FORBIDDEN from another site; UNAUTHENTICATED or DEVICE_REVOKED; NOT_FOUND where only administrators
 * have access.
 */
export async function principalOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  options: CredentialOptions,
): Promise<Principal> {
  const isFromPages = checksOrigin(endpoint);
  // The cookie is read only where a session is accepted or the origin is checked.
  const cookie = isFromPages || takesSession(endpoint) ? sessionCookieOf(request) : noCookie;
  if (isFromPages) rejectCrossSite(request.raw, cookie.count > 0, options);
  const principal = await authenticate(endpoint.credential, request.headers.authorization, cookie, options);
  // Runs before the body is read, so that the response is that of an unknown route, whatever was sent.
  if (endpoint.administratorOnly && !(principal && (await options.lookup.isAdministrator(principal.userId))))
    throw new AppError('NOT_FOUND');
  return principal;
}

async function authenticate(
  kind: Credential,
  authorization: string | undefined,
  cookie: SessionCookieGiven,
  { lookup }: CredentialOptions,
): Promise<Principal> {
  if (kind === 'none') return null;
  const takes = accepted[kind];
  const bearer = /^bearer +(\S*)$/i.exec(authorization?.trim() ?? '')?.[1];
  // A bearer token takes precedence over the cookie, even when it is wrong: a client that sends one means to be that
  // device.
  const isDevice = takes.includes('device') && bearer !== undefined;
  if (takes.includes('session') && !isDevice) {
    const { token } = cookie;
    const isToken = token !== undefined && isSessionToken(token);
    const session = isToken ? await lookup.session(tokenKey(token)) : null;
    if (session || kind === 'optionalSession') return session;
  }
  // A revoked device gets DEVICE_REVOKED even where only a session is accepted, so that its owner learns what to do.
  const isToken = bearer !== undefined && isDeviceToken(bearer);
  const device = isToken ? await lookup.device(tokenKey(bearer)) : null;
  if (device?.revoked) throw new AppError('DEVICE_REVOKED');
  if (device && isDevice) return device.principal;
  throw unauthenticated(takes.includes('session') && cookie.count > 1);
}

/** Nothing shows which of several cookies is ours, so none counts. */
function unauthenticated(hasSeveralCookies: boolean): AppError {
  if (!hasSeveralCookies) return new AppError('UNAUTHENTICATED');
  return new AppError('UNAUTHENTICATED', {
    message:
      'The request has several svc_session cookies. Delete the cookies of this site and sign in again.',
    details: { reason: 'several_cookies' },
  });
}
