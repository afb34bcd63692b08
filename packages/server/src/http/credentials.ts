/**
 * Who is calling. One table says, for each kind of credential that an endpoint takes, what counts; whatever it does not
 * name is refused.
 */
import type { Credential } from '@svc/contract';
import { AppError } from '#app-error';
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

/** Looks credentials up by the key of their token, and what more an account may be. */
export interface CredentialLookup {
  /** Null for an unknown, ended or expired session. */
  session(key: TokenKey): Promise<SessionPrincipal | null>;
  device(key: TokenKey): Promise<{ readonly principal: DevicePrincipal; readonly revoked: boolean } | null>;
  isAdministrator(userId: string): Promise<boolean>;
  /** Those of the sessions that are open, with the time of their end. */
  openSessions(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export interface CredentialsGiven {
  readonly authorization: string | undefined;
  readonly sessionCookie: string | undefined;
  /** Nothing shows which of them is ours, so none counts. */
  readonly hasSeveralSessionCookies: boolean;
}

/** @throws AppError UNAUTHENTICATED or DEVICE_REVOKED */
export async function authenticate(
  kind: Credential,
  given: CredentialsGiven,
  lookup: CredentialLookup,
): Promise<Principal> {
  switch (kind) {
    case 'none':
      return null;
    case 'optionalSession':
      return findSession(given, lookup);
    case 'session':
      return (await findSession(given, lookup)) ?? refuseUnlessRevoked(given, lookup);
    case 'device':
      return requireDevice(given, lookup);
    case 'sessionOrDevice':
      // A bearer token beats the cookie even when it is wrong: a client that sends one means to be that device.
      return bearerOf(given) === undefined
        ? ((await findSession(given, lookup)) ?? unauthenticated(given))
        : requireDevice(given, lookup);
  }
}

async function findSession({ sessionCookie }: CredentialsGiven, lookup: CredentialLookup) {
  if (sessionCookie === undefined || !isSessionToken(sessionCookie)) return null;
  return lookup.session(tokenKey(sessionCookie));
}

async function requireDevice(given: CredentialsGiven, lookup: CredentialLookup): Promise<DevicePrincipal> {
  const device = await findDevice(given, lookup);
  if (!device) return unauthenticated(given);
  if (device.revoked) throw new AppError('DEVICE_REVOKED');
  return device.principal;
}

/** A revoked device is told so even where no device may go, so that its owner learns what to do. */
async function refuseUnlessRevoked(given: CredentialsGiven, lookup: CredentialLookup): Promise<never> {
  const device = await findDevice(given, lookup);
  if (device?.revoked) throw new AppError('DEVICE_REVOKED');
  return unauthenticated(given);
}

async function findDevice(given: CredentialsGiven, lookup: CredentialLookup) {
  const token = bearerOf(given);
  return token !== undefined && isDeviceToken(token) ? lookup.device(tokenKey(token)) : null;
}

function bearerOf({ authorization }: CredentialsGiven): string | undefined {
  return /^bearer +(\S*)$/i.exec(authorization?.trim() ?? '')?.[1];
}

function unauthenticated({ hasSeveralSessionCookies }: CredentialsGiven): never {
  if (!hasSeveralSessionCookies) throw new AppError('UNAUTHENTICATED');
  throw new AppError('UNAUTHENTICATED', {
    message:
      'The request has several svc_session cookies. Delete the cookies of this site and sign in again.',
  });
}
