/** The session cookie. */
import { limits } from '@svc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Token } from '#platform/tokens';

const NAME = 'svc_session';

export interface SessionCookie {
  set(token: Token): void;
  clear(): void;
}

/** The session cookie of a request. */
export interface SessionCookieGiven {
  /** Undefined without a cookie, and when there are several. */
  readonly token: string | undefined;
  readonly count: number;
}

/**
 * Browsers also send cookies that a sibling origin or another port has set, and no header says which cookie is ours. So
 * several session cookies are treated like no cookie. They are counted in the raw header: the parser keeps only one of
 * a name.
 */
export function sessionCookieOf(request: FastifyRequest): SessionCookieGiven {
  // Node joins several headers into one.
  const { cookie = '' } = request.headers;
  const count = cookie.split(';').filter((pair) => pair.split('=', 1)[0]?.trim() === NAME).length;
  return { token: count === 1 ? request.server.parseCookie(cookie)[NAME] : undefined, count };
}

export function sessionCookieOn(reply: FastifyReply, secure: boolean): SessionCookie {
  const attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  return {
    set: (token) =>
      void reply.setCookie(NAME, token, { ...attributes, maxAge: limits.sessionLifetimeMs / 1000 }),
    clear: () => void reply.clearCookie(NAME, attributes),
  };
}
