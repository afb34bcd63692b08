/**
 * The document of a link, `/s/{slug}`, with the first screen of what its viewer may see, or with what stands in the way. It
 * counts as no view: links are opened by whatever makes previews of them, too.
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
  isForReading,
  sendDocument,
  type FirstAnswer,
} from './document.ts';
import type { WebBuild } from './web-build.ts';

/** A viewer before a link. A password never comes with an address: the page asks for it. */
export interface SharedVisit {
  readonly slug: string;
  readonly viewerId: string | null;
  readonly password: undefined;
  readonly network: string;
}

export interface SharePagePorts {
  /** @throws AppError that says what stands in the way. */
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
    // A page that fetches or frames a link gets nothing of what is behind it.
    if (!isForReading(request)) return sendDocument(reply, parts.build, 'share', []);
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
  const visit = { slug: request.params.slug, viewerId, password: undefined, network };
  try {
    const page = await sharedPage(visit, (viewer) => ({
      before: `${before}[{"name":"firstScreen","body":{"viewer":${inertJson(viewer)},"first":`,
      after: `}}]${after}`,
    }));
    await answerPrepared(request, reply, page, { pace: defaultTimeouts, session, own: documentHeaders });
    return await reply;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const { code, retryAfterMs = null } = error;
    const refused: FirstAnswer = { name: 'firstScreen', body: null, refusal: { code, retryAfterMs } };
    return sendDocument(reply.code(error.status).headers(errorHeaders(error)), build, 'share', [refused]);
  }
}
