/**
 * Answers that are ready as bytes: in the coding that the client likes best, and as a file where they are one. Nothing is
 * sent before the bytes are there, so that what fails is answered as any other failure.
 */
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

/** Past the framework, which would look at the bytes and their headers again and again. */
export async function answerPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, fileName, codings, bytesIn }: Prepared,
  pace: Pace,
): Promise<void> {
  const coding = codingFor(request, codings);
  const bytes = await bytesIn(coding);
  const head = {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': contentType,
    'content-length': bytes.length,
    vary: 'accept-encoding',
    ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
    ...(fileName === undefined
      ? {}
      : {
          'content-disposition': contentDispositionOf(fileName),
          'content-security-policy': FILE_POLICY,
        }),
  };
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
