/**
 * Calls of an object store, all within one budget: how many run at a time, how long one takes, and how often a failed
 * one is repeated. No other layer retries.
 *
 * Attempts that fail for a temporary reason are repeated after a pause with jitter. All calls share one supply of
 * retries. Otherwise an outage would triple the load on a store that is trying to recover.
 */
import { isThrottlingError, StandardRetryStrategy } from '@smithy/core/retry';
import pLimit from 'p-limit';
import { UnavailableError } from '../unavailable.ts';
import { BlobDamagedError } from './blobs.ts';

export interface CallBounds {
  readonly attemptsMax: number;
  /** How long an attempt may take, without the time for its bytes. */
  readonly answerMs: number;
  /** A store that is slower than this has failed. */
  readonly leastBytesPerMs: number;
  /** No attempt begins after this time. */
  readonly retriesWithinMs: number;
  readonly parallelMax: number;
}

export const defaultCallBounds: CallBounds = {
  attemptsMax: 3,
  answerMs: 5000,
  leastBytesPerMs: 512,
  retriesWithinMs: 12_000,
  parallelMax: 32,
};

export interface Attempt {
  /** Aborts when the attempt has taken too long, and when the store is closed. */
  readonly signal: AbortSignal;
  /** Adds the time that the transfer of this many bytes may take. */
  expect(bytes: number): void;
}

export interface BoundedCalls {
  /** @throws UnavailableError when the store cannot do the work now; BlobDamagedError and FinalError unchanged. */
  run<Result>(
    what: string,
    work: (attempt: Attempt) => Promise<Result>,
    attemptsMax?: number,
  ): Promise<Result>;
  /** Aborts all calls, and rejects those that follow. */
  close(): void;
}

/** A failure that a retry cannot solve. */
export class FinalError extends Error {
  override readonly name = 'FinalError';
}

class TooSlowError extends Error {
  override readonly name = 'TimeoutError';
}

/** Errors with a 4xx status that a retry can solve: damage or delay in transit, clock skew, conflicts of two calls. */
const PASSING_CODES = new Set([
  'BadDigest',
  'ConditionalRequestConflict',
  'IncompleteBody',
  'OperationAborted',
  'RequestTimeTooSkewed',
  'RequestTimeout',
  'XAmzContentSHA256Mismatch',
]);

export function createBoundedCalls(bounds: CallBounds): BoundedCalls {
  const retries = new StandardRetryStrategy(bounds.attemptsMax);
  const slots = pLimit(bounds.parallelMax);
  const closed = new AbortController();

  async function attempt<Result>(work: (attempt: Attempt) => Promise<Result>): Promise<Result> {
    const ended = new AbortController();
    let allowedMs = bounds.answerMs;
    const startedAt = performance.now();
    const end = () =>
      ended.abort(new TooSlowError(`no complete response within ${Math.round(allowedMs)} ms`));
    const close = () => ended.abort(closed.signal.reason);
    let timer = setTimeout(end, allowedMs);
    closed.signal.addEventListener('abort', close);
    try {
      closed.signal.throwIfAborted();
      const working = work({
        signal: ended.signal,
        expect(bytes) {
          allowedMs += bytes / bounds.leastBytesPerMs;
          clearTimeout(timer);
          timer = setTimeout(end, allowedMs - (performance.now() - startedAt));
        },
      });
      // Some steps ignore the signal, such as looking for credentials.
      return await Promise.race([working, rejectionOf(ended.signal)]);
    } catch (error) {
      throw ended.signal.aborted ? ended.signal.reason : error;
    } finally {
      clearTimeout(timer);
      closed.signal.removeEventListener('abort', close);
    }
  }

  return {
    async run(what, work, attemptsMax = bounds.attemptsMax) {
      const startedAt = performance.now();
      let token = await retries.acquireInitialRetryToken('');
      for (let attempts = 1; ; attempts += 1) {
        try {
          const result = await slots(() => {
            if (performance.now() - startedAt > bounds.retriesWithinMs)
              throw new TooSlowError('too many calls are waiting');
            return attempt(work);
          });
          retries.recordSuccess(token);
          return result;
        } catch (error) {
          const isLate = performance.now() - startedAt > bounds.retriesWithinMs;
          const isOver = attempts >= attemptsMax || isLate || closed.signal.aborted;
          const next =
            isOver || !isPassing(error)
              ? null
              : await retries
                  .refreshRetryTokenForRetry(token, {
                    errorType: isThrottling(error) ? 'THROTTLING' : 'TRANSIENT',
                  })
                  // All retries are in use.
                  .catch(() => null);
          if (next === null) throw asFailure(what, attempts, error);
          token = next;
        }
      }
    },
    close() {
      closed.abort(new Error('the service is stopping'));
    },
  };
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

interface ServiceError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

function isThrottling(error: unknown): boolean {
  return error instanceof Error && isThrottlingError(error as Parameters<typeof isThrottlingError>[0]);
}

function isPassing(error: unknown): boolean {
  if (error instanceof FinalError) return false;
  const { name, $metadata } = error as ServiceError;
  const status = $metadata?.httpStatusCode ?? 0;
  return status < 400 || status >= 500 || PASSING_CODES.has(name) || isThrottling(error);
}

function asFailure(what: string, attempts: number, error: unknown): unknown {
  if (error instanceof FinalError || error instanceof BlobDamagedError) return error;
  const { name, message, $metadata } = error as ServiceError;
  const status = $metadata?.httpStatusCode;
  const reason = status === undefined ? `${name}: ${message}` : `${name}, status ${status}`;
  return new UnavailableError(
    `object storage: ${what} failed after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} (${reason})`,
    { cause: error },
  );
}
