/**
 * Answers on a connection without a request to route: Node's parser rejected it, or Node asks what to do with an
 * expectation. Node's own responses have neither error envelope nor headers.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '#app-error';
import type { Log } from '#platform/log';
import { envelopeOf } from '#http/envelope';
import { endLingering, isLingering } from '#http/lingering-end';

const awaitingContinue = new WeakSet<IncomingMessage>();

/** True for a request whose client waits for `100 Continue` before it sends its body. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return awaitingContinue.has(request);
}

/** Call just before the body is read, once it is certain to be read. */
export function writeContinue(request: IncomingMessage, response: ServerResponse): void {
  if (awaitingContinue.delete(request)) response.writeContinue();
}

/** Stored on a connection: the response to its latest request. A weak map would cost more at each request. */
const LATEST = Symbol('latest answer');
type Connection = Duplex & { [LATEST]?: ServerResponse };

export interface RawAnswerOptions {
  /** The headers of each response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly log: Log;
  readonly lingerMs: number;
}

export function answerWithoutRouting(server: Server, options: RawAnswerOptions): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    (request.socket as Connection)[LATEST] = response;
  });
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    if (isLingering(socket)) return;
    const last = (socket as Connection)[LATEST];
    if (last && !last.req.complete && last.writableEnded) {
      // The parser failed on the rest of a request that is already answered, so nothing more is sent.
      endLingering(socket, '', options.lingerMs);
      return;
    }
    rejectOnSocket(socket, parserRejection(error.code), options);
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Node emits this event if `100-continue` is anywhere in the header.
    if (request.headers.expect?.trim().toLowerCase() !== '100-continue') {
      server.emit('checkExpectation', request, response);
      return;
    }
    awaitingContinue.add(request);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage) => {
    rejectOnSocket(request.socket, new AppError('BAD_REQUEST', { status: 417 }), options, request);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    rejectOnSocket(socket, new AppError('NOT_FOUND'), options);
  });
}

function parserRejection(code: string | undefined): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('BAD_REQUEST', { status: 431 });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('BAD_REQUEST', { status: 408 });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('BAD_REQUEST', { status: 413 });
    default:
      return new AppError('BAD_REQUEST');
  }
}

/** Connections that get their rejection after an earlier response. */
const rejectedLater = new WeakSet<Duplex>();

/**
 * Answers once and closes the connection, after the responses to its earlier requests. A connection with a partly sent
 * response, or one that is closed, is only destroyed.
 * @param rejected the rejected request, if the parser got that far.
 */
function rejectOnSocket(
  socket: Duplex,
  error: AppError,
  { headers, log, lingerMs }: RawAnswerOptions,
  rejected?: IncomingMessage,
): void {
  const pending = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  const isHalfOut = pending?.headersSent === true && !pending.writableEnded;
  if (!socket.writable || isHalfOut) {
    socket.destroy();
    return;
  }
  // An incomplete request is the one on which the parser failed; a complete one came before it.
  if (pending && pending.req !== rejected && pending.req.complete) {
    if (rejectedLater.has(socket)) return;
    rejectedLater.add(socket);
    pending.once('finish', () => {
      rejectedLater.delete(socket);
      rejectOnSocket(socket, error, { headers, log, lingerMs }, rejected);
    });
    return;
  }
  const requestId = randomUUID();
  const body = JSON.stringify(envelopeOf(error, requestId));
  const head = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  log.info('rejected', { requestId, status: error.status, code: error.code });
  const content = rejected?.method === 'HEAD' ? '' : body;
  const answer = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${content}`;
  endLingering(socket, answer, lingerMs);
}
