/**
 * What is answered on a connection when there is no request to route: Node's parser refused it, or asks what to do with
 * an expectation. Node's own answers have neither envelope nor headers.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '#app-error';
import type { Log } from '#platform/log';
import { envelopeOf } from '#http/envelope';

const awaitingContinue = new WeakSet<IncomingMessage>();

/** True for a request whose client sends its body only once it is told to. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return awaitingContinue.has(request);
}

/** To be called when the body is about to be read, and not before it is known that it will be. */
export function writeContinue(request: IncomingMessage, response: ServerResponse): void {
  if (awaitingContinue.delete(request)) response.writeContinue();
}

export function answerWithoutRouting(server: Server, headers: Record<string, string>, log: Log): void {
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    refuseOnSocket(socket, parserRefusal(error.code), headers, log);
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    awaitingContinue.add(request);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const socket = response.socket;
    if (socket) refuseOnSocket(socket, new AppError('BAD_REQUEST', { status: 417 }), headers, log);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    refuseOnSocket(socket, new AppError('NOT_FOUND'), headers, log);
  });
}

function parserRefusal(code: string | undefined): AppError {
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

/** Answers once and closes. A connection on which an answer is under way, or that is gone, is only closed. */
function refuseOnSocket(socket: Duplex, error: AppError, headers: Record<string, string>, log: Log): void {
  const pending = (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage;
  if (!socket.writable || pending?.headersSent === true) {
    socket.destroy();
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
  log.info('refused', { requestId, status: error.status, code: error.code });
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`, () => {
    socket.destroy();
  });
}
