/**
 * The pages that people need before the web app is there, and the well-known addresses. Everything they do goes through
 * the API by a small script; the server renders what is to be seen.
 */
import type { DeviceLink, Invitation, User } from '@svc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#app-error';
import { sessionCookieOf } from '#http/cookies';
import type { Pages } from '#http/server';
import type { Clock } from '#platform/clock';
import { hashToken, isSessionToken, type TokenHash } from '#platform/tokens';
import type { SessionPrincipal } from '#principal';
import { SCRIPT, STYLE } from './assets.ts';
import type { Html } from './html.ts';
import * as views from './views.ts';

const SECURITY_TXT_LIFETIME_MS = 180 * 24 * 3_600_000;

/** Own scripts and styles only, nothing inline, no framing, and no way for a script to write markup. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

export interface PagePorts {
  readonly clock: Clock;
  readonly appBaseUrl: string;
  readonly platformAdminEmail: string | null;
  readonly findSession: (tokenHash: TokenHash) => Promise<SessionPrincipal | null>;
  readonly getUser: (userId: string) => Promise<User>;
  readonly describeLink: (publicRequestId: string) => Promise<DeviceLink>;
  readonly describeInvitation: (token: string) => Promise<Invitation>;
}

export function createPages(ports: PagePorts): Pages {
  const { appBaseUrl, clock } = ports;

  async function viewer(request: FastifyRequest): Promise<User | null> {
    const token = sessionCookieOf(request);
    const session =
      token !== undefined && isSessionToken(token) ? await ports.findSession(hashToken(token)) : null;
    return session ? ports.getUser(session.userId) : null;
  }

  return {
    sendNotFound: (reply) => page(reply.code(404), 'Not found', views.notFound()),
    register(app) {
      app.get('/', async (request, reply) => page(reply, 'svc', views.home(await viewer(request))));

      app.get<{ Params: { id: string } }>('/link/:id', async (request, reply) => {
        const { id } = request.params;
        const link = await orNull(ports.describeLink(id));
        const content = views.deviceLink(id, link, await viewer(request), clock.now());
        return page(reply.code(link ? 200 : 404), 'Connect a device', content);
      });

      app.get<{ Params: { token: string } }>('/invitations/:token', async (request, reply) => {
        const { token } = request.params;
        const user = await viewer(request);
        const found = user ? await orNull(ports.describeInvitation(token)) : null;
        return page(reply, 'Join a workspace', views.invitation(token, found, user));
      });

      app.get('/.well-known/change-password', async (_request, reply) =>
        page(reply, 'Change your password', views.changePassword(appBaseUrl)),
      );

      app.get('/.well-known/security.txt', async (_request, reply) => {
        const contact =
          ports.platformAdminEmail === null ? `${appBaseUrl}/` : `mailto:${ports.platformAdminEmail}`;
        const expires = new Date(clock.now() + SECURITY_TXT_LIFETIME_MS).toISOString();
        return reply
          .type('text/plain; charset=utf-8')
          .send(
            `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${appBaseUrl}/.well-known/security.txt\n`,
          );
      });

      app.get('/assets/pages.js', async (_request, reply) =>
        reply.type('text/javascript; charset=utf-8').send(SCRIPT),
      );
      app.get('/assets/pages.css', async (_request, reply) =>
        reply.type('text/css; charset=utf-8').send(STYLE),
      );
    },
  };
}

function page(reply: FastifyReply, title: string, content: Html): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', PAGE_POLICY)
    .send(views.document(title, content));
}

async function orNull<Found>(finding: Promise<Found>): Promise<Found | null> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
