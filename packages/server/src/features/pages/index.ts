/** The addresses of the pages: their documents, the files that these load, and the well-known addresses. */
import type { User } from '@svc/contract';
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
import { registerAdminPages } from './admin-addresses.ts';
import { readAssetFiles } from './asset-files.ts';
import { registerDownloads, type DownloadPorts } from './download-addresses.ts';
import { listAnswers, overviewAnswers, type OverviewPorts } from './overview.ts';
import {
  opensInWindow,
  sendDocument,
  varyOfReports,
  type DocumentParts,
  type FirstAnswer,
} from './document.ts';
import {
  findingAnswers,
  projectAnswers,
  workspaceFindingsAnswers,
  type FindingListAnswers,
  type FindingListPorts,
  type FindingListParams,
} from './finding-lists.ts';
import { unknownHostDocument } from './plain-documents.ts';
import { registerSecurityText } from './well-known-addresses.ts';
import { registerReportPage, type ReportPagePorts } from './report-addresses.ts';
import { registerSharePage, type SharePagePorts } from './shared-addresses.ts';
import { readWebBuild, type PageName } from './web-build.ts';

const overviewPages: readonly (readonly [address: string, page: PageName, answers: typeof listAnswers])[] = [
  ['/', 'home', overviewAnswers],
  ['/workspaces/:id/projects', 'projects', listAnswers],
];

const findingPages: readonly (readonly [address: string, page: PageName, answers: FindingListAnswers])[] = [
  ['/workspaces/:id/findings', 'findings', workspaceFindingsAnswers],
  ['/projects/:id', 'project', projectAnswers],
  ['/projects/:id/findings/:findingKey', 'finding', findingAnswers],
];

export interface PagePorts
  extends
    SharePagePorts,
    ReportPagePorts,
    OverviewPorts,
    FindingListPorts,
    Omit<AccountPagePorts, 'viewer' | 'sendApp'>,
    Omit<DownloadPorts, 'sendApp'> {
  /** The build of the pages. */
  readonly webFolder: string;
  readonly clock: Clock;
  readonly securityContact: string | null;
  readonly signUp: 'open' | 'invited' | 'closed';
  readonly findSession: (key: TokenKey) => Promise<SessionPrincipal | null>;
  readonly getUser: (userId: string) => Promise<User>;
}

export function createPages(ports: PagePorts): Pages {
  const build: DocumentParts = { ...readWebBuild(ports.webFolder), signUp: ports.signUp };

  async function sessionOf(request: FastifyRequest): Promise<SessionPrincipal | null> {
    const { token } = sessionCookieOf(request);
    return token !== undefined && isSessionToken(token) ? ports.findSession(tokenKey(token)) : null;
  }

  const userOf = async (session: SessionPrincipal | null) => session && ports.getUser(session.userId);
  const viewer = async (request: FastifyRequest) => userOf(await sessionOf(request));

  async function sessionAnswer(session: SessionPrincipal | null): Promise<FirstAnswer> {
    const user = await userOf(session);
    return { name: 'getSession', body: user && { user } };
  }

  /** The document names the signed-in account, so that the page needs no request for it. */
  async function sendApp(
    request: FastifyRequest,
    reply: FastifyReply,
    answers: readonly FirstAnswer[] = [],
    page?: PageName,
  ): Promise<FastifyReply> {
    const known = await sessionAnswer(await sessionOf(request));
    return sendDocument(reply, build, 'app', [known, ...answers], page);
  }

  return {
    sendNotFound: (reply) => sendDocument(reply.code(404), build, 'app', []),
    sendUnknownHost: unknownHostDocument,
    register(app) {
      serveAssets(app, build.assetsFolder);
      app.get('/docs', async (request, reply) => sendApp(request, reply));
      registerAccountPages(app, { ...ports, viewer, sendApp });
      registerDownloads(app, { ...ports, sendApp });
      registerAdminPages(app, { viewer, sendApp });

      for (const [address, page, answersFor] of overviewPages) {
        app.get(address, async (request, reply) => {
          const session = await sessionOf(request);
          return sendApp(request, reply, session ? await answersFor(ports, session) : [], page);
        });
      }

      for (const [address, page, answersFor] of findingPages) {
        app.get<{ Params: FindingListParams }>(address, async (request, reply) => {
          reply.headers(varyOfReports);
          const session = await sessionOf(request);
          // With a search, the page needs other findings.
          const hasFindings = opensInWindow(request) && !request.url.includes('?');
          const answers = session ? await answersFor(ports, session, request.params, hasFindings) : [];
          return sendApp(request, reply, answers, page);
        });
      }

      registerReportPage(app, { ...ports, build, sessionOf, sessionAnswer, sendApp });
      registerSharePage(app, { ...ports, build, sessionOf });

      if (ports.securityContact !== null) registerSecurityText(app, ports, ports.securityContact);
    },
  };
}

/**
 * A worker of the page reads untrusted files. It has no network access, so their content can leave it only as a
 * message.
 */
const workerHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'",
};

function isWorker(name: string): boolean {
  return name.includes('-worker-') && name.endsWith('.js');
}

/** Serves only these files: no folder is listed, and no path leads outside. */
function serveAssets(app: FastifyInstance, folder: string): void {
  const files = readAssetFiles(folder);
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const file = files.get(request.params['*']);
    if (!file) throw new AppError('NOT_FOUND');
    const own = isWorker(request.params['*']) ? { own: workerHeaders } : {};
    await answerPrepared(request, reply, file, { pace: defaultTimeouts, session: null, ...own });
    return reply;
  });
}
