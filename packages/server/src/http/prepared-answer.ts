/**
 * Answers that are ready as bytes: in the coding that the client likes best, and as a file where they are one. Nothing is
 * sent before the bytes are there, so that what fails is answered as any other failure.
 */
import type { Readable } from 'node:stream';
import { contentDispositionOf } from '@svc/report/render/file-name';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { createOutgoingBytes, type Pace } from '#http/outgoing-bytes';
import type { Coding, Prepared } from '#prepared';

/** A file that a browser opens instead of saving it runs nothing and loads nothing, whatever it holds. */
const FILE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** Of the process, whose memory it is. */
const outgoing = createOutgoingBytes();

export async function answerPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, fileName, codings, bytesIn }: Prepared,
  pace: Pace,
): Promise<Uint8Array | Readable> {
  const coding = codingFor(request, codings);
  const bytes = await bytesIn(coding);
  const content = request.method === 'HEAD' ? bytes : outgoing.paced(bytes, reply.raw, pace);
  void reply.header('content-length', bytes.length);
  void reply.code(200).header('content-type', contentType).header('vary', 'accept-encoding');
  if (coding !== 'identity') void reply.header('content-encoding', coding);
  if (fileName !== undefined) {
    void reply
      .header('content-disposition', contentDispositionOf(fileName))
      .header('content-security-policy', FILE_POLICY);
  }
  return content;
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
