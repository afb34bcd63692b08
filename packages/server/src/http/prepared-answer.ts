/** Answers that are ready as bytes: in the coding that the client likes best, and as a file where they are one. */
import { contentDispositionOf } from '@svc/report/render/file-name';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { Coding, Prepared } from '#prepared';

/** A file that a browser opens instead of saving it runs nothing and loads nothing, whatever it holds. */
const FILE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

export async function answerPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, fileName, codings, bytesIn }: Prepared,
): Promise<Uint8Array> {
  const coding = codingFor(request, codings);
  const bytes = await bytesIn(coding);
  void reply.code(200).header('content-type', contentType).header('vary', 'accept-encoding');
  if (coding !== 'identity') void reply.header('content-encoding', coding);
  if (fileName !== undefined) {
    void reply
      .header('content-disposition', contentDispositionOf(fileName))
      .header('content-security-policy', FILE_POLICY);
  }
  return bytes;
}

function codingFor(request: FastifyRequest, codings: readonly Coding[]): Coding {
  if (codings.length === 1 || request.headers['accept-encoding'] === undefined) return 'identity';
  const acceptable = new Negotiator(request.raw).encodings([...codings]);
  return codings.find((coding) => acceptable.includes(coding)) ?? 'identity';
}
