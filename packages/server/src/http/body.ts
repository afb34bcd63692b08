/**
 * Reads the body of a request. What can be rejected by its headers is rejected before a byte is read. The rest is
 * bounded in size, time, depth and number of parts, so that no body can block the process.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#app-error';
import { writeContinue } from '#http/raw-answers';
import type { Timeouts } from '#http/timeouts';
import { shapeOf } from '#platform/json-shape';
import { strictUtf8 } from '#platform/encoding';

/** A body slower than this after its grace period is rejected: such a client holds a connection rather than uses it. */
export const LEAST_BYTES_PER_SECOND = 1024;

/** Limits of nesting and parts of a JSON body. Without these, the parser takes seconds for some bodies of a few MiB. */
const DEPTH_MAX = 64;
const PARTS_MAX = 20_000;

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** @throws AppError BAD_REQUEST: 413 for a declared length over the limit, 415 for another type or any coding. */
export function rejectByHeaders(request: IncomingMessage, bytesMax: number): void {
  const { headers } = request;
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  if (headers['content-encoding'] !== undefined) {
    throw new AppError('BAD_REQUEST', { status: 415, message: 'Send the body without Content-Encoding.' });
  }
  const [type, ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isUtf8 = parameters.every(
    (parameter) => !parameter.startsWith('charset') || /^charset="?utf-?8"?$/.test(parameter),
  );
  if (type !== 'application/json' || !isUtf8) {
    throw new AppError('BAD_REQUEST', {
      status: 415,
      message: 'Send the body as application/json in UTF-8.',
    });
  }
}

/** @throws AppError BAD_REQUEST: 413 as soon as more than the limit arrived, 408 for a body that comes too slowly. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
  timeouts: Timeouts,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const bounds = { bytesMax, leastBytesPerSecond: LEAST_BYTES_PER_SECOND, timeouts };
  const size = await receiveBody(request, response, bounds, (chunk) => void chunks.push(chunk));
  return Buffer.concat(chunks, size);
}

export interface BodyBounds {
  readonly bytesMax: number;
  /** The minimum on average, once the grace period is over. */
  readonly leastBytesPerSecond: number;
  readonly timeouts: Timeouts;
}

/**
 * Receives the body chunk by chunk. Resolves to its size when it is complete. A body that is cut off is rejected, too.
 * @throws AppError BAD_REQUEST: 413 as soon as more than the limit arrived, 408 for a body that comes too slowly.
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  { bytesMax, leastBytesPerSecond, timeouts }: BodyBounds,
  take: (chunk: Buffer) => void,
): Promise<number> {
  if (!hasBody(request)) return Promise.resolve(0);
  if (request.destroyed) return Promise.reject(brokenOff());
  writeContinue(request, response);
  return new Promise((resolve, reject) => {
    let size = 0;
    const began = Date.now();
    const pace = setInterval(() => {
      const seconds = (Date.now() - began - timeouts.bodyGraceMs) / 1000;
      if (seconds > 0 && size < seconds * leastBytesPerSecond) {
        settle(() =>
          reject(new AppError('BAD_REQUEST', { status: 408, message: 'The body arrived too slowly.' })),
        );
      }
    }, timeouts.bodyCheckedEveryMs);

    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesMax) settle(() => reject(tooLarge(bytesMax)));
      else take(chunk);
    };
    const onEnd = () => settle(() => resolve(size));
    const onBroken = () => settle(() => reject(brokenOff()));
    function settle(finish: () => void) {
      clearInterval(pace);
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken).pause();
      finish();
    }
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

function brokenOff(): AppError {
  return new AppError('BAD_REQUEST', { message: 'The connection closed before the whole body arrived.' });
}

function tooLarge(bytesMax: number): AppError {
  return new AppError('BAD_REQUEST', { status: 413, message: `The body is larger than ${bytesMax} bytes.` });
}

/** @throws AppError BAD_REQUEST when the bytes are not JSON in UTF-8, or exceed the limits of nesting or parts. */
export function parseJson(bytes: Uint8Array): unknown {
  // One pass over the bytes, before they are parsed.
  const { excess } = shapeOf(bytes, { depthMax: DEPTH_MAX, partsMax: PARTS_MAX });
  if (excess === 'depth')
    throw new AppError('BAD_REQUEST', { message: `The body is nested more than ${DEPTH_MAX} levels deep.` });
  if (excess === 'parts')
    throw new AppError('BAD_REQUEST', { message: `The body has more than ${PARTS_MAX} parts.` });
  try {
    return JSON.parse(strictUtf8(bytes)) as unknown;
  } catch {
    throw new AppError('BAD_REQUEST', { message: 'The body is not JSON in UTF-8.' });
  }
}
