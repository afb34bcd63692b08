/**
 * Reading a request's body: what can be refused is refused by its headers, before a byte is read, and the rest within
 * bounds of size, time, depth and number of parts, so that no body can hold the process up.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#app-error';
import { writeContinue } from '#http/raw-answers';
import type { Timeouts } from '#http/timeouts';

/** A body slower than this after its grace is given up: such clients hold connections rather than use them. */
const LEAST_BYTES_PER_SECOND = 1024;

/** Nesting and parts of a JSON body. The parser takes seconds for some bodies of a few MiB without these bounds. */
const DEPTH_MAX = 64;
const PARTS_MAX = 20_000;

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** @throws AppError BAD_REQUEST: 413 for a declared length over the limit, 415 for another type or any coding. */
export function refuseByHeaders(request: IncomingMessage, bytesMax: number): void {
  if (!hasBody(request)) return;
  const { headers } = request;
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    throw new AppError('BAD_REQUEST', { status: 415, message: 'Send the body without a content coding.' });
  }
  if (!isJson(headers['content-type'])) {
    throw new AppError('BAD_REQUEST', {
      status: 415,
      message: 'Send the body as application/json in UTF-8.',
    });
  }
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') return false;
  return parameters.every(
    (parameter) => !parameter.startsWith('charset') || /^charset="?utf-?8"?$/.test(parameter),
  );
}

/** @throws AppError BAD_REQUEST: 413 as soon as more than the limit arrived, 408 for a body that comes too slowly. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
  timeouts: Timeouts,
): Promise<Buffer> {
  if (!hasBody(request)) return Promise.resolve(Buffer.alloc(0));
  writeContinue(request, response);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const began = Date.now();
    const pace = setInterval(() => {
      const seconds = (Date.now() - began - timeouts.bodyGraceMs) / 1000;
      if (seconds > 0 && size < seconds * LEAST_BYTES_PER_SECOND) {
        settle(() =>
          reject(new AppError('BAD_REQUEST', { status: 408, message: 'The body came too slowly.' })),
        );
      }
    }, timeouts.bodyCheckedEveryMs);

    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesMax) settle(() => reject(tooLarge(bytesMax)));
      else chunks.push(chunk);
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks, size)));
    const onBroken = () =>
      settle(() => reject(new AppError('BAD_REQUEST', { message: 'The body broke off.' })));
    function settle(finish: () => void) {
      clearInterval(pace);
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken).pause();
      finish();
    }
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

function tooLarge(bytesMax: number): AppError {
  return new AppError('BAD_REQUEST', { status: 413, message: `The body is larger than ${bytesMax} bytes.` });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws AppError BAD_REQUEST when the bytes are not JSON in UTF-8, or are nested or split beyond the bounds. */
export function parseJson(bytes: Uint8Array): unknown {
  refuseByShape(bytes);
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch {
    throw new AppError('BAD_REQUEST', { message: 'The body is not JSON in UTF-8.' });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** One pass over the bytes, before the parser gets them. */
function refuseByShape(bytes: Uint8Array): void {
  let depth = 0;
  let parts = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inText = false;
      continue;
    }
    if (byte === QUOTE) inText = true;
    else if (byte === COMMA) parts += 1;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      parts += 1;
      if (depth > DEPTH_MAX)
        throw new AppError('BAD_REQUEST', { message: `The body is nested deeper than ${DEPTH_MAX}.` });
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
    if (parts > PARTS_MAX)
      throw new AppError('BAD_REQUEST', { message: `The body has more than ${PARTS_MAX} parts.` });
  }
}
