/**
 * A body that its feature reads after it has accepted the request. It is counted and hashed as it arrives, into memory
 * that grows with what arrived. A declared length reserves nothing.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LEAST_BYTES_PER_SECOND, receiveBody } from '#http/body';
import type { Timeouts } from '#http/timeouts';
import { freeBytes } from '#platform/free-bytes';

const FIRST_CAPACITY_BYTES = 64 * 1024;
const GROWTH = 16;

export interface ReceivedBytes {
  /** The first `keptMax` bytes, or fewer if fewer arrived, in a buffer of their own. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The number of bytes that arrived. */
  readonly size: number;
  /** The digest of everything that arrived. */
  readonly sha256: Uint8Array;
}

export interface IncomingBytes {
  /** The length in `Content-Length`; null when the body is chunked. */
  readonly declaredSize: number | null;
  /**
   * Call once. The client is asked for the body only then.
   * @param keptMax bytes beyond this are only counted and hashed.
   * @throws AppError BAD_REQUEST: 413 past the limit, 408 for a body that comes too slowly, 400 for a body
   * that is cut off.
   */
  read(keptMax: number): Promise<ReceivedBytes>;
}

export interface IncomingBytesOptions {
  readonly reportBytesMax: number;
  readonly timeouts: Timeouts;
}

export function incomingBytes(
  request: IncomingMessage,
  response: ServerResponse,
  { reportBytesMax: bytesMax, timeouts }: IncomingBytesOptions,
): IncomingBytes {
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  return {
    declaredSize: isChunked ? null : Number(request.headers['content-length'] ?? 0),
    async read(keptMax) {
      const kept = growingBytes(keptMax);
      const hash = createHash('sha256');
      // The minimum pace at which the body arrives in time. A slower body would fail anyway, and until then it would
      // occupy capacity for its whole size. A few such clients could block all uploads.
      const leastBytesPerSecond = Math.max(LEAST_BYTES_PER_SECOND, (keptMax * 1000) / timeouts.requestMs);
      const bounds = { bytesMax, leastBytesPerSecond, timeouts };
      const receiving = receiveBody(request, response, bounds, (chunk) => {
        hash.update(chunk);
        kept.add(chunk);
        // Node copies each part of a body into a buffer of its own. Left to the garbage collector, those of one large
        // body cost it a collection of the whole heap.
        if (chunk.length === chunk.buffer.byteLength) freeBytes(chunk);
      });
      const size = await receiving.catch((error: unknown) => {
        // The garbage collector would free these bytes only after some time, while the next uploads fill as much memory
        // again.
        freeBytes(kept.bytes());
        throw error;
      });
      return { bytes: kept.bytes(), size, sha256: hash.digest() };
    },
  };
}

/**
 * Grows when it is full. Beyond its first capacity it is at most `GROWTH` times as large as what arrived. Growing in
 * small steps would copy and clear a large body several times over.
 */
function growingBytes(bytesMax: number) {
  let all = new Uint8Array(0);
  let size = 0;
  return {
    add(chunk: Uint8Array): void {
      const part = chunk.subarray(0, bytesMax - size);
      const needed = size + part.length;
      if (needed > all.length) {
        const capacity = Math.min(bytesMax, Math.max(FIRST_CAPACITY_BYTES, all.length * GROWTH, needed));
        // Unlike a copy, this leaves no garbage.
        all = new Uint8Array(all.buffer.transfer(capacity));
      }
      all.set(part, size);
      size = needed;
    },
    bytes: () => all.subarray(0, size),
  };
}
