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

/** On a connection: the answer to its latest request. A weak map would be written at each request, which costs more. */
const LATEST = Symbol('latest answer');
type Connection = Duplex & { [LATEST]?: ServerResponse };

export function answerWithoutRouting(
  server: Server,
  headers: Readonly<Record<string, string>>,
  log: Log,
): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    (request.socket as Connection)[LATEST] = response;
  });
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    const last = (socket as Connection)[LATEST];
    if (last && !last.req.complete && last.writableEnded) {
      // The rest of a request that has its answer already.
      socket.end(() => socket.destroy());
      return;
    }
    refuseOnSocket(socket, parserRefusal(error.code), headers, log);
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Node finds the word anywhere in the header.
    if (request.headers.expect?.trim().toLowerCase() !== '100-continue') {
      server.emit('checkExpectation', request, response);
      return;
    }
    awaitingContinue.add(request);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage) => {
    refuseOnSocket(request.socket, new AppError('BAD_REQUEST', { status: 417 }), headers, log, request);
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

/** Connections that wait for an earlier answer before they are told of their refusal. */
const refusedLater = new WeakSet<Duplex>();

/**
 * Answers once and closes, after the answers that earlier requests on the connection are owed. A connection on which an
 * answer is half out, or that is gone, is only closed.
 * @param refused the request that is refused, where the parser got as far as one.
 */
function refuseOnSocket(
  socket: Duplex,
  error: AppError,
  headers: Readonly<Record<string, string>>,
  log: Log,
  refused?: IncomingMessage,
): void {
  const pending = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  const isHalfOut = pending?.headersSent === true && !pending.writableEnded;
  if (!socket.writable || isHalfOut) {
    socket.destroy();
    return;
  }
  // An incomplete request is the one that the parser stumbled over; a complete one came before it.
  if (pending && pending.req !== refused && pending.req.complete) {
    if (refusedLater.has(socket)) return;
    refusedLater.add(socket);
    pending.once('finish', () => {
      refusedLater.delete(socket);
      refuseOnSocket(socket, error, headers, log, refused);
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
  log.info('refused', { requestId, status: error.status, code: error.code });
  const content = refused?.method === 'HEAD' ? '' : body;
  const answer = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${content}`;
  socket.end(answer, () => socket.destroy());
}
