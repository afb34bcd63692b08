/** Responses that are sent before the request's body has arrived. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { hasBody } from '#http/body';
import { headersOf } from '#http/headers';
import { LINGER_BYTES_MAX } from '#http/lingering-end';
import { awaitsContinue } from '#http/raw-answers';

/** Receiving an unread body up to this declared size is cheaper than a new connection. */
const SWALLOWED_BYTES_MAX = 64 * 1024;

/**
 * True when a response with that status leaves a large or endless body unread, or a body that did not arrive in time.
 */
export function leavesBodyUnread(request: IncomingMessage, status: number): boolean {
  if (request.complete) return false;
  if (status === 408) return true;
  if (!hasBody(request)) return false;
  const declared = request.headers['content-length'];
  return declared === undefined || Number(declared) > SWALLOWED_BYTES_MAX || awaitsContinue(request);
}

/**
 * Sends a response, and receives a limited part of the body before the connection closes. Closing immediately would
 * reset it, and the client might lose the error.
 */
export function sendAndLinger(reply: FastifyReply, payload: string, lingerMs: number): FastifyReply {
  const { raw } = reply;
  const request = reply.request.raw;
  reply.hijack();
  raw.writeHead(reply.statusCode, {
    ...headersOf(reply),
    'content-length': Buffer.byteLength(payload),
    connection: 'close',
  });
  raw.write(payload);
  if (awaitsContinue(request)) {
    raw.end();
    return reply;
  }
  let swallowed = 0;
  const timer = setTimeout(finish, lingerMs);
  function finish() {
    clearTimeout(timer);
    raw.end();
  }
  request.on('data', (chunk: Buffer) => {
    swallowed += chunk.length;
    if (swallowed > LINGER_BYTES_MAX) finish();
  });
  request.once('end', finish).once('close', finish).on('error', finish).resume();
  return reply;
}
