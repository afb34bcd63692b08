/**
 * The pages that people need before the web app is there, and the well-known addresses. Everything they do goes through
 * the API by a small script; the server renders what is to be seen.
 */
import type { ListedReport, User } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#app-error';
import { sessionCookieOf } from '#http/cookies';
import { answerPrepared } from '#http/prepared-answer';
import type { Pages } from '#http/server';
import { defaultTimeouts } from '#http/timeouts';
import type { Clock } from '#platform/clock';
import { isSessionToken, tokenKey, type TokenKey } from '#platform/tokens';
import type { SessionPrincipal } from '#principal';
import { registerAccountPages, type AccountPagePorts } from './account-addresses.ts';
import { readAssetFiles } from './asset-files.ts';
import { SCRIPT, STYLE } from './assets.ts';
import { home } from './home.ts';
import type { Html } from './html.ts';
import { sendDocument, type FirstAnswer } from './document.ts';
import { registerSharePage, type SharePagePorts } from './shared-addresses.ts';
import * as views from './views.ts';
import { readWebBuild } from './web-build.ts';

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

export interface PagePorts extends SharePagePorts, Omit<AccountPagePorts, 'viewer' | 'sendApp'> {
  /** What the build of the pages left. */
  readonly webFolder: string;
  readonly clock: Clock;
  readonly apiBaseUrl: string;
  readonly platformAdminEmail: string | null;
  readonly findSession: (key: TokenKey) => Promise<SessionPrincipal | null>;
  readonly getUser: (userId: string) => Promise<User>;
  readonly listReports: (viewer: SessionPrincipal) => Promise<readonly ListedReport[]>;
}

export function createPages(ports: PagePorts): Pages {
  const { appBaseUrl, clock } = ports;
  const build = readWebBuild(ports.webFolder);

  async function sessionOf(request: FastifyRequest): Promise<SessionPrincipal | null> {
    const token = sessionCookieOf(request);
    return token !== undefined && isSessionToken(token) ? ports.findSession(tokenKey(token)) : null;
  }

  async function viewer(request: FastifyRequest): Promise<User | null> {
    const session = await sessionOf(request);
    return session ? ports.getUser(session.userId) : null;
  }

  async function homePage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const session = await sessionOf(request);
    if (!session) return page(reply, 'svc', views.welcome());
    const [user, reports] = await Promise.all([ports.getUser(session.userId), ports.listReports(session)]);
    return page(reply, 'svc', home({ user, reports, apiBaseUrl: ports.apiBaseUrl }));
  }

  /** Whoever is signed in is known to the page without asking. */
  async function sendApp(
    request: FastifyRequest,
    reply: FastifyReply,
    answers: readonly FirstAnswer[] = [],
  ): Promise<FastifyReply> {
    const user = await viewer(request);
    return sendDocument(reply, build, 'app', [{ name: 'getSession', body: user && { user } }, ...answers]);
  }

  return {
    sendNotFound: (reply) => sendDocument(reply.code(404), build, 'app', []),
    register(app) {
      serveAssets(app, build.assetsFolder);
      for (const address of ['/docs', '/reports/:id'])
        app.get(address, async (request, reply) => sendApp(request, reply));
      registerAccountPages(app, { ...ports, viewer, sendApp });

      app.get('/', async (request, reply) => homePage(request, reply));

      registerSharePage(app, { ...ports, build, sessionOf });

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

/** No folder is listed and no path leads out: what is not one of the files is not there. */
function serveAssets(app: FastifyInstance, folder: string): void {
  const files = readAssetFiles(folder);
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const file = files.get(request.params['*']);
    if (!file) throw new AppError('NOT_FOUND');
    await answerPrepared(request, reply, file, defaultTimeouts);
    return reply;
  });
}

function page(
  reply: FastifyReply,
  title: string,
  content: Html,
  width: 'narrow' | 'wide' = 'narrow',
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', PAGE_POLICY)
    .send(views.document(title, content, width));
}
