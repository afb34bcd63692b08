/**
 * The pages that people need before the web app is there, and the well-known addresses. Everything they do goes through
 * the API by a small script; the server renders what is to be seen.
 */
import type { ListedReport, ReportRead, Share, User } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#app-error';
import { sessionCookieOf } from '#http/cookies';
import { answerPrepared } from '#http/prepared-answer';
import type { Pages } from '#http/server';
import { defaultTimeouts } from '#http/timeouts';
import type { Clock } from '#platform/clock';
import type { Prepared } from '#prepared';
import { isSessionToken, tokenKey, type TokenKey } from '#platform/tokens';
import type { SessionPrincipal } from '#principal';
import { registerAccountPages, type AccountPagePorts } from './account-addresses.ts';
import { ASSET_CACHE_CONTROL, readAssetFiles } from './asset-files.ts';
import { SCRIPT, STYLE } from './assets.ts';
import { home } from './home.ts';
import { html, type Html } from './html.ts';
import { LIVE_SCRIPT, liveReport, REPORT_STATE_HEADER } from './live.ts';
import { createMaking } from './making.ts';
import { finalReport } from './report.ts';
import { sendDocument, type FirstAnswer } from './document.ts';
import { registerSharePage, type SharePagePorts } from './shared-addresses.ts';
import { SHARING_SCRIPT } from './sharing.ts';
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
  /** @throws AppError NOT_FOUND for whoever may not read it, REPORT_EXPIRED when it is gone. */
  readonly readReport: (userId: string, reportId: string) => Promise<Prepared>;
  /** Of a report of the user's own. */
  readonly listShares: (userId: string, reportId: string) => Promise<readonly Share[]>;
}

export function createPages(ports: PagePorts): Pages {
  const { appBaseUrl, clock } = ports;
  const make = createMaking();
  const build = readWebBuild(ports.webFolder);

  async function sessionOf(request: FastifyRequest): Promise<SessionPrincipal | null> {
    const token = sessionCookieOf(request);
    return token !== undefined && isSessionToken(token) ? ports.findSession(tokenKey(token)) : null;
  }

  async function viewer(request: FastifyRequest): Promise<User | null> {
    const session = await sessionOf(request);
    return session ? ports.getUser(session.userId) : null;
  }

  /** With the links to it, for its owner. */
  async function readReport(userId: string, reportId: string) {
    const answer = await ports.readReport(userId, reportId);
    const shares = await ports.listShares(userId, reportId).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'FORBIDDEN') return null;
      throw error;
    });
    return { bytes: await answer.bytesIn('identity'), shares };
  }

  async function homePage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const session = await sessionOf(request);
    if (!session) return page(reply, 'svc', views.welcome());
    const [user, reports] = await Promise.all([ports.getUser(session.userId), ports.listReports(session)]);
    return page(reply, 'svc', home({ user, reports, apiBaseUrl: ports.apiBaseUrl }));
  }

  async function reportPage(
    request: FastifyRequest,
    reply: FastifyReply,
    reportId: string,
  ): Promise<FastifyReply> {
    const session = await sessionOf(request);
    if (!session) return page(reply, 'Sign in', views.reportForNobody());
    const { userId } = session;
    const found = await orRefusal(readReport(userId, reportId));
    if (found === 'NOT_FOUND') return page(reply.code(404), 'Not found', views.notFound());
    if (found === 'REPORT_EXPIRED') return page(reply.code(410), 'Report expired', views.reportExpired());
    const links = found.shares && { shares: found.shares, now: clock.now() };
    const account = views.signedInAs(await ports.getUser(userId));
    const { state, title, content } = await make(found.bytes, (said) => {
      const read = said as ReportRead;
      return {
        state: read.state,
        title: `${read.projectName}: report`,
        content: html`<nav><a href="/">All reports</a></nav>
          ${read.report ? finalReport(read, read.report, links) : liveReport(read)} ${account}`,
      };
    });
    return page(reply.header(REPORT_STATE_HEADER, state), title, content, 'wide');
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
      app.get('/docs', async (request, reply) => sendApp(request, reply));
      registerAccountPages(app, { ...ports, viewer, sendApp });

      app.get('/', async (request, reply) => homePage(request, reply));

      app.get<{ Params: { id: string } }>('/reports/:id', async (request, reply) =>
        reportPage(request, reply, request.params.id),
      );

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
        reply.type('text/javascript; charset=utf-8').send(SCRIPT + SHARING_SCRIPT),
      );
      app.get('/assets/live.js', async (_request, reply) =>
        reply.type('text/javascript; charset=utf-8').send(LIVE_SCRIPT),
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
    await answerPrepared(request, reply.header('cache-control', ASSET_CACHE_CONTROL), file, defaultTimeouts);
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

async function orRefusal<Found>(finding: Promise<Found>): Promise<Found | 'NOT_FOUND' | 'REPORT_EXPIRED'> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'REPORT_EXPIRED'))
      return error.code;
    throw error;
  }
}
