/**
 * Pages of reports are made one in each turn of the event loop: many that are asked for together hold others up for as long
 * as one does. Of large reports only so many wait.
 */
import { AppError } from '#app-error';
import { createTurns } from '#platform/turns';

const LARGE_BYTES_MIN = 96 * 1024;
const LARGE_WAITING_MAX = 32;
const RETRY_AFTER_MS = 5000;

/**
 * @param bytes of the JSON that the page is made of.
 * @throws AppError RATE_LIMITED when too many pages of large reports wait.
 */
export type MakePage = <Made>(bytes: Uint8Array, make: (said: unknown) => Made) => Promise<Made>;

export function createMaking(): MakePage {
  const inTurn = createTurns();
  let waiting = 0;
  return async <Made>(bytes: Uint8Array, make: (said: unknown) => Made): Promise<Made> => {
    const weight = bytes.length < LARGE_BYTES_MIN ? 0 : 1;
    if (weight > 0 && waiting >= LARGE_WAITING_MAX)
      throw new AppError('RATE_LIMITED', { retryAfterMs: RETRY_AFTER_MS });
    waiting += weight;
    try {
      return await inTurn(() => make(JSON.parse(Buffer.from(bytes).toString())));
    } finally {
      waiting -= weight;
    }
  };
}
