/** The document of a report, `/reports/{id}`, with the first screen when a reader of the report opens it in a window. */
import type { ListedReport, OwnFirstScreen, Share, Workspace } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#app-error';
import { answerPrepared } from '#http/prepared-answer';
import { defaultTimeouts } from '#http/timeouts';
import type { Prepared } from '#prepared';
import type { SessionPrincipal } from '#principal';
import {
  documentAround,
  documentHeaders,
  inertJson,
  opensInWindow,
  varyOfReports,
  type FirstAnswer,
} from './document.ts';
import { answered } from './overview.ts';
import type { WebBuild } from './web-build.ts';

export interface ReportPagePorts {
  /**
   * Null while the report is live.
   * @throws AppError for anyone who may not read it, and when it has ended.
   */
  readonly ownPage: (
    userId: string,
    reportId: string,
    network: string,
    around: (read: OwnFirstScreen['read']) => Promise<{ readonly before: string; readonly after: string }>,
  ) => Promise<Prepared | null>;
  readonly listReports: (
    viewer: SessionPrincipal,
    of?: { readonly projectId: string },
  ) => Promise<readonly ListedReport[]>;
  readonly listWorkspaces: (userId: string) => Promise<readonly Workspace[]>;
  /** @throws AppError FORBIDDEN for members who may not share the report. */
  readonly listShares: (userId: string, reportId: string) => Promise<readonly Share[]>;
}

export interface ReportPageParts extends ReportPagePorts {
  readonly build: WebBuild;
  readonly sessionOf: (request: FastifyRequest) => Promise<SessionPrincipal | null>;
  /** The current session, as the API returns it. */
  readonly sessionAnswer: (session: SessionPrincipal | null) => Promise<FirstAnswer>;
  readonly sendApp: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

export function registerReportPage(app: FastifyInstance, parts: ReportPageParts): void {
  const { before, after } = documentAround(parts.build, 'app', 'report');

  async function pageFor(session: SessionPrincipal, id: string, network: string): Promise<Prepared | null> {
    const known = inertJson(await parts.sessionAnswer(session));
    const input = inertJson({ params: { id } });
    try {
      return await parts.ownPage(session.userId, id, network, async (read) => {
        const around = inertJson(await answersAround(parts, session, read)).slice(1, -1);
        return {
          before: `${before}[${known},${around},{"name":"firstScreen","input":${input},"body":{"read":${inertJson(read)},"first":`,
          after: `}}]${after}`,
        };
      });
    } catch (error) {
      // The page asks the API and shows the error.
      if (error instanceof AppError && error.status < 500) return null;
      throw error;
    }
  }

  app.get<{ Params: { id: string } }>('/reports/:id', async (request, reply) => {
    reply.headers(varyOfReports);
    const session = opensInWindow(request) ? await parts.sessionOf(request) : null;
    const network = request.server.networkOf(request);
    const page = session && (await pageFor(session, request.params.id, network));
    if (!page) return parts.sendApp(request, reply);
    await answerPrepared(request, reply, page, {
      pace: defaultTimeouts,
      session,
      own: { ...documentHeaders.app, ...varyOfReports },
    });
    return reply;
  });
}

/** What the page shows around a report. If this came later, it would shift the rest of the page. */
async function answersAround(
  ports: ReportPagePorts,
  session: SessionPrincipal,
  { reportId, projectId }: OwnFirstScreen['read'],
): Promise<readonly FirstAnswer[]> {
  const { userId } = session;
  return answered([
    ports.listWorkspaces(userId).then((workspaces) => ({
      name: 'listWorkspaces' as const,
      body: { workspaces },
    })),
    ports.listReports(session, { projectId }).then((reports) => ({
      name: 'listReports' as const,
      input: { query: { projectId } },
      body: { reports },
    })),
    ports.listShares(userId, reportId).then((shares) => ({
      name: 'listShares' as const,
      input: { params: { id: reportId } },
      body: { shares },
    })),
  ]);
}
