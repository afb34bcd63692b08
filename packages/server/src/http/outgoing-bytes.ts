/**
 * Sends large responses. Each holds its bytes until its reader has received them, so slow readers could fill the memory
 * with as many reports as they request. A response that is sent too slowly is therefore cut. So are responses that hold
 * more than their part when memory is needed (`held-bytes.ts`).
 */
import type { ServerResponse } from 'node:http';
import { createHeldBytes, type HeldAnswer, type HeldFor } from '#http/held-bytes';
import type { Timeouts } from '#http/timeouts';
import { outgoingBudgets, type OutgoingBudgets } from '#platform/outgoing-budgets';

const MIB = 1024 * 1024;
/** The system buffers most smaller responses immediately. */
const LARGE_BYTES_MIN = MIB / 4;
/** How much is passed to the system at a time. Smaller parts measure the reader's pace better, and cost more. */
const PART_BYTES = MIB;

/** How fast a reader must receive a response. The timeouts for request bodies apply to responses, too. */
export type Pace = Pick<Timeouts, 'bodyGraceMs' | 'bodyCheckedEveryMs'>;

export interface Sending {
  readonly bytes: Uint8Array;
  readonly heldFor: HeldFor;
  readonly pace: Pace;
  /** Called once the response has been sent or cut off. */
  readonly onEnd?: (() => void) | undefined;
}

export interface OutgoingBytes {
  /** Whether a response is so large that its bytes are held while its reader receives them. */
  isHeld(response: ServerResponse, bytes: Uint8Array): boolean;
  /**
   * Sends a whole response of status 200.
   * @param head alternating names and values of its headers.
   */
  send(response: ServerResponse, head: readonly string[], sending: Sending): void;
  /** The bytes held by responses under way. */
  heldBytes(): number;
}

export function createOutgoingBytes(budgets: OutgoingBudgets = outgoingBudgets()): OutgoingBytes {
  const held = createHeldBytes(budgets, Date.now);

  const isHeld = (response: ServerResponse, bytes: Uint8Array) =>
    bytes.length >= LARGE_BYTES_MIN && !response.destroyed && response.req.method !== 'HEAD';

  /** Counts a part under way as received, because its progress is unknown. */
  function sendPaced(response: ServerResponse, { bytes, pace }: Sending, answer: HeldAnswer): void {
    const { bodyGraceMs, bodyCheckedEveryMs } = pace;
    const checks = setInterval(() => {
      const seconds = (Date.now() - answer.beganAt - bodyGraceMs) / 1000;
      if (answer.takenBytes + PART_BYTES < seconds * budgets.leastBytesPerSecond) answer.cut();
    }, bodyCheckedEveryMs);
    response.once('close', () => clearInterval(checks));
    function sendFrom(at: number): void {
      answer.takenBytes = at;
      const next = at + PART_BYTES;
      const part = bytes.subarray(at, next);
      if (next >= bytes.length) response.end(part);
      else response.write(part, (error) => !error && sendFrom(next));
    }
    sendFrom(0);
  }

  return {
    isHeld,
    send(response, head, sending) {
      const { bytes, heldFor, onEnd } = sending;
      if (!isHeld(response, bytes)) {
        response.writeHead(200, head as string[]).end(bytes);
        onEnd?.();
        return;
      }
      const answer: HeldAnswer = {
        buffer: bytes.buffer,
        heldFor,
        beganAt: Date.now(),
        takenBytes: 0,
        cut: () => cutAnswer(response),
      };
      response.once('close', () => {
        held.remove(answer);
        onEnd?.();
      });
      held.add(answer);
      response.writeHead(200, head as string[]);
      sendPaced(response, sending, answer);
    },
    heldBytes: () => held.total(),
  };
}

/** Resets the connection. An orderly end would let the system send megabytes that it has buffered. */
export function cutAnswer(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
  response.destroy();
}
