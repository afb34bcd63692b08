/**
 * Large answers on their way out. Each holds its bytes until its reader has taken them, so readers who take next to nothing
 * would fill the memory with as many reports as they can ask for: an answer that goes out too slowly is cut, and what all
 * of them hold together is bounded. Bytes that several answers share are held once.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { AppError } from '#app-error';
import type { Timeouts } from '#http/timeouts';

const MIB = 1024 * 1024;
/** Smaller ones are with the system at once, for the most part. */
const LARGE_BYTES_MIN = MIB / 4;
const PART_BYTES = MIB / 8;
const RETRY_AFTER_MS = 5000;

/** The body here is the answer's. */
export type Pace = Pick<Timeouts, 'bodyGraceMs' | 'bodyCheckedEveryMs'>;

export interface OutgoingBytes {
  /**
   * What the framework is to send: the bytes themselves, or a stream of them at the pace of the reader.
   * @throws AppError RATE_LIMITED when answers under way hold too much.
   */
  paced(bytes: Uint8Array, response: ServerResponse, timeouts: Pace): Uint8Array | Readable;
  /** By answers under way. */
  heldBytes(): number;
}

interface OutgoingBounds {
  readonly heldBytesMax: number;
  /** On average, once the grace is over. What the system holds for a reader counts as taken. */
  readonly leastBytesPerSecond: number;
}

const BOUNDS: OutgoingBounds = { heldBytesMax: 128 * MIB, leastBytesPerSecond: 32 * 1024 };

export function createOutgoingBytes({
  heldBytesMax,
  leastBytesPerSecond,
}: OutgoingBounds = BOUNDS): OutgoingBytes {
  const holders = new Map<ArrayBufferLike, number>();
  let held = 0;

  function hold({ buffer }: Uint8Array): void {
    const count = holders.get(buffer) ?? 0;
    if (count === 0) {
      if (held > 0 && held + buffer.byteLength > heldBytesMax) throw busy();
      held += buffer.byteLength;
    }
    holders.set(buffer, count + 1);
  }

  function letGo({ buffer }: Uint8Array): void {
    const count = holders.get(buffer) ?? 1;
    if (count > 1) {
      holders.set(buffer, count - 1);
      return;
    }
    holders.delete(buffer);
    held -= buffer.byteLength;
  }

  return {
    paced(bytes, response, { bodyGraceMs, bodyCheckedEveryMs }) {
      if (bytes.length < LARGE_BYTES_MIN || response.destroyed) return bytes;
      hold(bytes);
      let taken = 0;
      const began = Date.now();
      const pace = setInterval(() => {
        const seconds = (Date.now() - began - bodyGraceMs) / 1000;
        if (seconds > 0 && taken < seconds * leastBytesPerSecond) response.destroy();
      }, bodyCheckedEveryMs);
      response.once('close', () => {
        clearInterval(pace);
        letGo(bytes);
      });
      return Readable.from(
        partsOf(bytes, (upTo) => (taken = upTo)),
        { objectMode: false, highWaterMark: PART_BYTES },
      );
    },
    heldBytes: () => held,
  };
}

/** @param onTaken told how much was taken before each part. */
function* partsOf(bytes: Uint8Array, onTaken: (upTo: number) => void): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    onTaken(at);
    yield bytes.subarray(at, at + PART_BYTES);
  }
  onTaken(bytes.length);
}

function busy(): AppError {
  return new AppError('RATE_LIMITED', {
    message: 'Too many large answers are still being sent. Try again in a few seconds.',
    retryAfterMs: RETRY_AFTER_MS,
  });
}
