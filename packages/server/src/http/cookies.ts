/** The session cookie. */
import { limits } from '@svc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Token } from '#platform/tokens';

const NAME = 'svc_session';

export interface SessionCookie {
  set(token: Token): void;
  clear(): void;
}

export function sessionCookieOf(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : request.server.parseCookie(cookie)[NAME];
}

export function sessionCookieOn(reply: FastifyReply, secure: boolean): SessionCookie {
  const attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  return {
    set: (token) =>
      void reply.setCookie(NAME, token, { ...attributes, maxAge: limits.sessionLifetimeMs / 1000 }),
    clear: () => void reply.clearCookie(NAME, attributes),
  };
}
