/**
 * Responses whose bytes are ready: in the client's preferred coding, and as a download if they are a file. Nothing is
 * sent before the bytes are complete, so that a failure is answered like any other. Nothing is sent under a permission
 * that ended meanwhile, and a transfer is cut when its permission ends.
 */
import { contentDispositionOf } from '@svc/report/render/file-name';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { cutAnswer, type OutgoingBytes, type Pace } from '#http/outgoing-bytes';
import type { RightChecks, RightWatch } from '#http/right-checks';
import type { Coding, Holding, Prepared, SendingRight } from '#prepared';
import type { SessionPrincipal } from '#principal';

/** After this long, permissions are checked again even before a small response is sent. */
const CHECKED_AGAIN_AFTER_MS = 100;

/** What all prepared responses of a server share. */
export interface PreparedAnswers {
  readonly outgoing: OutgoingBytes;
  readonly rights: RightChecks;
  readonly sessionRight: (session: SessionPrincipal) => SendingRight;
}

export interface PreparedAnswerOptions {
  readonly pace: Pace;
  /** The session that requested the response. */
  readonly session: SessionPrincipal | null;
  /** Headers of a document, which replace standard ones of the same name. Its `vary` must contain `accept-encoding`. */
  readonly own?: Readonly<Record<string, string>>;
}

/**
 * Bypasses the framework, which would inspect the bytes and their headers repeatedly. Only this code sets the headers.
 * @throws AppError when the permission ended while the response was rendered.
 */
export async function answerPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  prepared: Prepared,
  { pace, session, own }: PreparedAnswerOptions,
): Promise<void> {
  const { outgoing } = reply.server.preparedAnswers;
  const { contentType, fileName, isImmutable, isPublic, codings, bytesIn, holding } = prepared;
  const coding = codingFor(request, codings);
  const bytes = await bytesIn(coding);
  const watch = await watchRights(reply, bytes, session, holding);
  const { byName, ofData, ofFiles, ofImmutable, ofPublic } = reply.server.standardHeaders;
  const standard =
    fileName !== undefined ? ofFiles : isImmutable ? ofImmutable : isPublic ? ofPublic : ofData;
  const head = own ? Object.entries({ ...byName, ...own }).flat() : [...standard];
  head.push('x-request-id', request.id, 'content-type', contentType, 'content-length', String(bytes.length));
  if (own?.['vary'] === undefined) head.push('vary', 'accept-encoding');
  if (coding !== 'identity') head.push('content-encoding', coding);
  if (fileName !== undefined) head.push('content-disposition', contentDispositionOf(fileName));
  const { ownerId: owner = null, shareId: link = null } = holding ?? {};
  outgoing.send(reply.raw, head, {
    bytes,
    heldFor: { owner, link, network: request.server.networkOf(request) },
    pace,
    onEnd: watch?.stop,
  });
  reply.hijack();
  watch?.onEnd(() => cutAnswer(reply.raw));
}

/** Null without a permission to watch, and for a response sent as one piece soon after the permission was checked. */
async function watchRights(
  { raw, elapsedTime, server: { preparedAnswers } }: FastifyReply,
  bytes: Uint8Array,
  session: SessionPrincipal | null,
  holding: Holding | undefined,
): Promise<RightWatch | null> {
  if (!holding) return null;
  if (elapsedTime < CHECKED_AGAIN_AFTER_MS && !preparedAnswers.outgoing.isHeld(raw, bytes)) return null;
  const ofSession = holding.needsSession && session ? [preparedAnswers.sessionRight(session)] : [];
  const watch = preparedAnswers.rights.watch([holding.right, ...ofSession]);
  try {
    await watch.check();
    return watch;
  } catch (error) {
    watch.stop();
    throw error;
  }
}

/** Prefers the first of equally preferred codings. A client that accepts none gets the bytes uncoded. */
function codingFor(request: FastifyRequest, codings: readonly Coding[]): Coding {
  if (codings.length === 1 || request.headers['accept-encoding'] === undefined) return 'identity';
  const negotiator: NegotiatorByOrder = new Negotiator(request.raw);
  const [best] = negotiator.encodings(codings, { preferred: codings });
  return codings.find((coding) => coding === best) ?? 'identity';
}

/** The package's types lack this option. */
interface NegotiatorByOrder {
  encodings(available: readonly Coding[], options: { readonly preferred: readonly Coding[] }): string[];
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly preparedAnswers: PreparedAnswers;
  }
}
