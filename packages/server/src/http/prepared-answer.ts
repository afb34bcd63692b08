/**
 * Answers that are ready as bytes: in the coding that the client likes best, and as a file where they are one. Nothing is
 * sent before the bytes are there, so that what fails is answered as any other failure. Nor is anything sent under a right
 * that ended meanwhile, and what is being sent is cut when its right ends.
 */
import { contentDispositionOf } from '@svc/report/render/file-name';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { cutAnswer, type OutgoingBytes, type Pace } from '#http/outgoing-bytes';
import type { RightChecks, RightWatch } from '#http/right-checks';
import type { Coding, Holding, Prepared, SendingRight } from '#prepared';
import type { SessionPrincipal } from '#principal';

/** After so long, rights are checked again before even a small answer goes out. */
const CHECKED_AGAIN_AFTER_MS = 100;

/** What all prepared answers of a server share. */
export interface PreparedAnswers {
  readonly outgoing: OutgoingBytes;
  readonly rights: RightChecks;
  readonly sessionRight: (session: SessionPrincipal) => SendingRight;
}

export interface PreparedAnswerOptions {
  readonly pace: Pace;
  /** The session that the answer was given to. */
  readonly session: SessionPrincipal | null;
  /** Headers of a document, instead of the standard ones of the same names and beside them. */
  readonly own?: Readonly<Record<string, string>>;
}

/**
 * Past the framework, which would look at the bytes and their headers again and again; nothing else sets headers here.
 * @throws AppError when the right to the answer ended while it was made.
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
  head.push('vary', 'accept-encoding');
  if (coding !== 'identity') head.push('content-encoding', coding);
  if (fileName !== undefined) head.push('content-disposition', contentDispositionOf(fileName));
  const { ownerId: owner = null, shareId: link = null } = holding ?? {};
  outgoing.send(reply.raw, head, {
    bytes,
    heldFor: { owner, link, network: request.server.networkOf(request) },
    pace,
    onEnd: () => watch?.stop(),
  });
  reply.hijack();
  watch?.onEnd(() => cutAnswer(reply.raw));
}

/** Null for an answer that goes out in one piece, soon after its right was checked. */
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

/** Of those that the client likes equally, the first. One that takes none of them gets the bytes as they are. */
function codingFor(request: FastifyRequest, codings: readonly Coding[]): Coding {
  if (codings.length === 1 || request.headers['accept-encoding'] === undefined) return 'identity';
  const negotiator: NegotiatorByOrder = new Negotiator(request.raw);
  const [best] = negotiator.encodings(codings, { preferred: codings });
  return codings.find((coding) => coding === best) ?? 'identity';
}

/** The types of the package do not tell of the option. */
interface NegotiatorByOrder {
  encodings(available: readonly Coding[], options: { readonly preferred: readonly Coding[] }): string[];
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly preparedAnswers: PreparedAnswers;
  }
}
