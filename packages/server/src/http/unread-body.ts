/** Answers that go out while the request's body is still to come. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { hasBody } from '#http/body';
import { headersOf } from '#http/headers';
import { awaitsContinue } from '#http/raw-answers';

/** How much of an answered request's unread body is still taken in: a report's, since most clients send it unasked. */
const LINGER_BYTES_MAX = 16 * 1024 * 1024;
/** Unread bodies up to this declared size are cheaper to swallow than the connection is to make again. */
const SWALLOWED_BYTES_MAX = 64 * 1024;

/** True when an answer of that status leaves a large or endless body, or one that was waited for in vain. */
export function leavesBodyUnread(request: IncomingMessage, status: number): boolean {
  if (request.complete) return false;
  if (status === 408) return true;
  if (!hasBody(request)) return false;
  const declared = request.headers['content-length'];
  return declared === undefined || Number(declared) > SWALLOWED_BYTES_MAX || awaitsContinue(request);
}

/**
 * Sends an answer and takes in what is still coming, within bounds, before the connection closes. Closing at once would
 * reset it, and the client might lose the answer that tells what was wrong.
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
