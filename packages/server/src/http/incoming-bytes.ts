/**
 * A body that its feature reads by itself, once it knows whether it wants it: counted and hashed as it arrives, into memory
 * that grows with what came. A length that is only claimed reserves nothing.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LEAST_BYTES_PER_SECOND, receiveBody } from '#http/body';
import type { Timeouts } from '#http/timeouts';
import { freeBytes } from '#platform/memory';

const FIRST_CAPACITY_BYTES = 64 * 1024;

export interface ReceivedBytes {
  /** The first of them, as many as were to be kept; alone in their buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many came. */
  readonly size: number;
  /** Of all that came. */
  readonly sha256: Uint8Array;
}

export interface IncomingBytes {
  /** What `Content-Length` says; null when the body comes in chunks. */
  readonly declaredSize: number | null;
  /**
   * To be called once. Nothing is asked of the client before.
   * @param keptMax what comes beyond is counted and hashed alone.
   * @param look is shown each chunk as it comes.
   * @throws AppError BAD_REQUEST: 413 past the limit, 408 for a body that comes too slowly, 400 for one that breaks off.
   */
  read(keptMax: number, look: (chunk: Uint8Array) => void): Promise<ReceivedBytes>;
}

export function incomingBytes(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
  timeouts: Timeouts,
): IncomingBytes {
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  return {
    declaredSize: isChunked ? null : Number(request.headers['content-length'] ?? 0),
    async read(keptMax, look) {
      const kept = growingBytes(keptMax);
      const hash = createHash('sha256');
      const bounds = { bytesMax, leastBytesPerSecond: paceOf(keptMax, timeouts), timeouts };
      const receiving = receiveBody(request, response, bounds, (chunk) => {
        hash.update(chunk);
        kept.add(chunk);
        look(chunk);
      });
      const size = await receiving.catch((error: unknown) => {
        // The collector would take its time, while those who are let in next fill as much again.
        freeBytes(kept.bytes());
        throw error;
      });
      return { bytes: kept.bytes(), size, sha256: hash.digest() };
    },
  };
}

/**
 * At which the body is whole when the time of its request is over. One that comes slower will not be, and until then it
 * would keep the room of its whole size from others: a few bytes a second of a few clients would stop all uploads.
 */
function paceOf(sizeBytes: number, { requestMs }: Timeouts): number {
  return Math.max(LEAST_BYTES_PER_SECOND, (sizeBytes * 1000) / requestMs);
}

/** Doubles as it fills, so it is never more than twice what came. */
function growingBytes(bytesMax: number) {
  let all = new Uint8Array(0);
  let size = 0;
  return {
    add(chunk: Uint8Array): void {
      const part = chunk.subarray(0, bytesMax - size);
      const needed = size + part.length;
      if (needed > all.length) {
        const capacity = Math.min(bytesMax, Math.max(FIRST_CAPACITY_BYTES, all.length * 2, needed));
        // Unlike a copy, this leaves nothing behind for the collector.
        all = new Uint8Array(all.buffer.transfer(capacity));
      }
      all.set(part, size);
      size = needed;
    },
    bytes: () => all.subarray(0, size),
  };
}
