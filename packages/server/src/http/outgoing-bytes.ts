/**
 * Large answers on their way out. Each holds its bytes until its reader has taken them, so readers who take next to nothing
 * would fill the memory with as many reports as they can ask for: an answer that goes out too slowly is cut, and what all
 * of them hold together is bounded. Bytes that several answers share are held once.
 */
import type { ServerResponse } from 'node:http';
import { AppError } from '#app-error';
import type { Timeouts } from '#http/timeouts';

const MIB = 1024 * 1024;
/** Smaller ones are with the system at once, for the most part. */
const LARGE_BYTES_MIN = MIB / 4;
/** What is given to the system at a time. More parts tell more of the reader's pace, and each costs. */
const PART_BYTES = MIB;
const RETRY_AFTER_MS = 5000;

/** The body here is the answer's. */
export type Pace = Pick<Timeouts, 'bodyGraceMs' | 'bodyCheckedEveryMs'>;

export interface OutgoingBytes {
  /**
   * Sends a whole answer of status 200.
   * @param head names and values of its headers in turn.
   * @throws AppError RATE_LIMITED when answers under way hold too much; then nothing is sent.
   */
  send(response: ServerResponse, head: readonly string[], bytes: Uint8Array, timeouts: Pace): void;
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

  /** Lets a part that is under way count as taken: how much of it is, nobody tells. */
  function sendPaced(response: ServerResponse, bytes: Uint8Array, timeouts: Pace): void {
    let taken = 0;
    const began = Date.now();
    const pace = setInterval(() => {
      const seconds = (Date.now() - began - timeouts.bodyGraceMs) / 1000;
      if (taken + PART_BYTES < seconds * leastBytesPerSecond) response.destroy();
    }, timeouts.bodyCheckedEveryMs);
    response.once('close', () => {
      clearInterval(pace);
      letGo(bytes);
    });
    function sendFrom(at: number): void {
      taken = at;
      const next = at + PART_BYTES;
      const part = bytes.subarray(at, next);
      if (next >= bytes.length) response.end(part);
      else response.write(part, (error) => !error && sendFrom(next));
    }
    sendFrom(0);
  }

  return {
    send(response, head, bytes, timeouts) {
      const isLarge =
        bytes.length >= LARGE_BYTES_MIN && !response.destroyed && response.req.method !== 'HEAD';
      if (isLarge) hold(bytes);
      response.writeHead(200, head as string[]);
      if (isLarge) sendPaced(response, bytes, timeouts);
      else response.end(bytes);
    },
    heldBytes: () => held,
  };
}

function busy(): AppError {
  return new AppError('RATE_LIMITED', {
    message: 'Too many large answers are still being sent. Try again in a few seconds.',
    retryAfterMs: RETRY_AFTER_MS,
  });
}
