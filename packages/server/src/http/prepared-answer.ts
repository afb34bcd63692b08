/**
 * Answers that are ready as bytes: in the coding that the client likes best, and as a file where they are one. Nothing is
 * sent before the bytes are there, so that what fails is answered as any other failure.
 */
import { contentDispositionOf } from '@svc/report/render/file-name';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { createOutgoingBytes, type Pace } from '#http/outgoing-bytes';
import type { Coding, Prepared } from '#prepared';

/** Of the process, whose memory it is. */
const outgoing = createOutgoingBytes();

/**
 * Past the framework, which would look at the bytes and their headers again and again; nothing else sets headers here.
 * @param own of a document, instead of the standard ones of the same names and beside them.
 */
export async function answerPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, fileName, isImmutable, isPublic, codings, bytesIn }: Prepared,
  pace: Pace,
  own?: Readonly<Record<string, string>>,
): Promise<void> {
  const coding = codingFor(request, codings);
  const bytes = await bytesIn(coding);
  const { byName, ofData, ofFiles, ofImmutable, ofPublic } = reply.server.standardHeaders;
  const standard =
    fileName !== undefined ? ofFiles : isImmutable ? ofImmutable : isPublic ? ofPublic : ofData;
  const head = own ? Object.entries({ ...byName, ...own }).flat() : [...standard];
  head.push('x-request-id', request.id, 'content-type', contentType, 'content-length', String(bytes.length));
  head.push('vary', 'accept-encoding');
  if (coding !== 'identity') head.push('content-encoding', coding);
  if (fileName !== undefined) head.push('content-disposition', contentDispositionOf(fileName));
  outgoing.send(reply.raw, head, bytes, pace);
  reply.hijack();
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
