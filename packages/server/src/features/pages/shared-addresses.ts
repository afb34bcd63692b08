/** The addresses of links to reports: `/s/{slug}`, with the password of a link coming in a form. */
import { exportFormats, type ExportFormat, type SharedReport } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#app-error';
import { readBody } from '#http/body';
import { errorHeaders } from '#http/envelope';
import { answerPrepared } from '#http/prepared-answer';
import { defaultTimeouts } from '#http/timeouts';
import type { Prepared } from '#prepared';
import type { SessionPrincipal } from '#principal';
import type { Html } from './html.ts';
import type { MakePage } from './making.ts';
import { sharedObstacle, sharedReport, sharedTitle, type SharedObstacle } from './shared.ts';

/** A viewer before a link. */
export interface SharedVisit {
  readonly slug: string;
  readonly viewerId: string | null;
  readonly password: Uint8Array | undefined;
}

export interface SharedPagePorts {
  /** @throws AppError of the codes in `SharedObstacle`. */
  readonly readShared: (visit: SharedVisit, isView: boolean) => Promise<Prepared>;
  readonly exportShared: (visit: SharedVisit, format: ExportFormat) => Promise<Prepared>;
}

export interface SharedPageParts extends SharedPagePorts {
  readonly make: MakePage;
  readonly viewer: (request: FastifyRequest) => Promise<SessionPrincipal | null>;
  readonly send: (
    reply: FastifyReply,
    title: string,
    content: Html,
    width: 'narrow' | 'wide',
  ) => FastifyReply;
}

interface SlugParams {
  readonly Params: { readonly slug: string };
}

const FORM_BYTES_MAX = 8 * 1024;

export function registerSharedPages(app: FastifyInstance, parts: SharedPageParts): void {
  app.get<SlugParams>('/s/:slug', async (request, reply) => show(parts, request, reply, ''));

  app.post<SlugParams>('/s/:slug', async (request, reply) => {
    const bytes = await readBody(request.raw, reply.raw, FORM_BYTES_MAX, defaultTimeouts);
    const form = new URLSearchParams(bytes.toString());
    const password = form.get('password') ?? '';
    const format = exportFormats.find((each) => each === form.get('format'));
    return format ? save(parts, request, reply, password, format) : show(parts, request, reply, password);
  });
}

async function visitOf(
  parts: SharedPageParts,
  request: FastifyRequest<SlugParams>,
  password: string,
): Promise<SharedVisit> {
  const viewerId = (await parts.viewer(request))?.userId ?? null;
  return {
    slug: request.params.slug,
    viewerId,
    password: password === '' ? undefined : Buffer.from(password),
  };
}

async function show(
  parts: SharedPageParts,
  request: FastifyRequest<SlugParams>,
  reply: FastifyReply,
  password: string,
): Promise<FastifyReply> {
  const { slug } = request.params;
  const isView = request.method !== 'HEAD' && request.headers['sec-fetch-dest'] === 'document';
  const visit = await visitOf(parts, request, password);
  const answer = await orObstacle(parts.readShared(visit, isView));
  if (answer instanceof AppError) return refuse(parts, reply, answer, slug, password);
  const bytes = await answer.bytesIn('identity');
  const content = await orObstacle(
    parts.make(bytes, (shared) => sharedReport(shared as SharedReport, slug, password)),
  );
  if (content instanceof AppError) return refuse(parts, reply, content, slug, password);
  return parts.send(reply, sharedTitle, content, 'wide');
}

async function save(
  parts: SharedPageParts,
  request: FastifyRequest<SlugParams>,
  reply: FastifyReply,
  password: string,
  format: ExportFormat,
): Promise<FastifyReply> {
  const file = await orObstacle(parts.exportShared(await visitOf(parts, request, password), format));
  if (file instanceof AppError) return refuse(parts, reply, file, request.params.slug, password);
  await answerPrepared(request, reply, file, defaultTimeouts);
  return reply;
}

async function orObstacle<Found>(opening: Promise<Found>): Promise<Found | AppError> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof AppError && obstacleOf(error)) return error;
    throw error;
  }
}

const obstacles: readonly SharedObstacle[] = [
  'CONFLICT',
  'RATE_LIMITED',
  'REPORT_EXPIRED',
  'SHARE_NOT_AVAILABLE',
  'SHARE_PASSWORD_REQUIRED',
  'UNAUTHENTICATED',
];

function obstacleOf({ code }: AppError): SharedObstacle | undefined {
  return obstacles.find((each) => each === code);
}

/** The page says what the API would have said, with its status. */
function refuse(
  parts: SharedPageParts,
  reply: FastifyReply,
  error: AppError,
  slug: string,
  password: string,
): FastifyReply {
  const obstacle = obstacleOf(error) ?? 'SHARE_NOT_AVAILABLE';
  void reply.code(error.status).headers(errorHeaders(error));
  return parts.send(
    reply,
    sharedTitle,
    sharedObstacle(slug, { obstacle, wasTried: password !== '', retryAfterMs: error.retryAfterMs }),
    'narrow',
  );
}
