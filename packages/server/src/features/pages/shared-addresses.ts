/**
 * The document of a share link, `/s/{slug}`. When a browser opens it in a window, it contains the first screen of the
 * viewer's projection, or the error. Loading the document never counts as a view.
 */
import type { SharedReport } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#app-error';
import { errorHeaders } from '#http/envelope';
import { answerPrepared } from '#http/prepared-answer';
import { defaultTimeouts } from '#http/timeouts';
import type { Prepared } from '#prepared';
import type { SessionPrincipal } from '#principal';
import {
  documentAround,
  documentHeaders,
  inertJson,
  opensInWindow,
  sendDocument,
  varyOfReports,
  type FirstAnswer,
} from './document.ts';
import type { WebBuild } from './web-build.ts';

/** A viewer who opens a share link. An address never contains a password: the page asks for it. */
export interface SharedVisit {
  readonly slug: string;
  readonly viewerId: string | null;
  readonly password: undefined;
  readonly unlockToken: undefined;
  readonly network: string;
}

export interface SharePagePorts {
  /** @throws AppError with the reason why the report cannot be read. */
  readonly sharedPage: (
    visit: SharedVisit,
    around: (viewer: SharedReport['viewer']) => { readonly before: string; readonly after: string },
  ) => Promise<Prepared>;
}

export interface SharePageParts extends SharePagePorts {
  readonly build: WebBuild;
  readonly sessionOf: (request: FastifyRequest) => Promise<SessionPrincipal | null>;
}

type SlugRequest = FastifyRequest<{ Params: { slug: string } }>;

export function registerSharePage(app: FastifyInstance, parts: SharePageParts): void {
  app.get('/s/:slug', async (request: SlugRequest, reply) => {
    reply.headers(varyOfReports);
    // The same document for every slug, so that it does not even reveal whether the share exists.
    if (!opensInWindow(request)) return sendDocument(reply, parts.build, 'share', []);
    return sendOpened(parts, request, reply);
  });
}

async function sendOpened(
  { build, sessionOf, sharedPage }: SharePageParts,
  request: SlugRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = await sessionOf(request);
  const viewerId = session?.userId ?? null;
  const { before, after } = documentAround(build, 'share');
  const network = request.server.networkOf(request);
  const visit = {
    slug: request.params.slug,
    viewerId,
    password: undefined,
    unlockToken: undefined,
    network,
  };
  try {
    const page = await sharedPage(visit, (viewer) => ({
      before: `${before}[{"name":"firstScreen","body":{"viewer":${inertJson(viewer)},"first":`,
      after: `}}]${after}`,
    }));
    await answerPrepared(request, reply, page, {
      pace: defaultTimeouts,
      session,
      own: { ...documentHeaders.share, ...varyOfReports },
    });
    return await reply;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const { code, retryAfterMs = null } = error;
    const rejected: FirstAnswer = { name: 'firstScreen', body: null, rejection: { code, retryAfterMs } };
    return sendDocument(reply.code(error.status).headers(errorHeaders(error)), build, 'share', [rejected]);
  }
}
