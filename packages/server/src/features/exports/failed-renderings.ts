/**
 * Exports that failed and would fail again, such as one whose file is too large. They are remembered for a minute, so
 * that a repeated request does not repeat the work.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '#app-error';
import { atMost } from '#platform/cache-limit';
import type { Clock } from '#platform/clock';

const FAILURE_KEPT_MS = 60_000;
const FAILURES_MAX = 10_000;

/** The same rendering would fail again. */
export class LastingFailure extends AppError {}

export function exportTooLarge(): LastingFailure {
  return new LastingFailure('CONFLICT', {
    message: 'The file would be too large. Choose another format, or share a part of the report.',
  });
}

export function exportTooSlow(): LastingFailure {
  return new LastingFailure('RATE_LIMITED', {
    message: 'The file takes too long to create. Choose another format, or share a part of the report.',
    retryAfterMs: FAILURE_KEPT_MS,
  });
}

export interface FailedRenderings {
  /**
   * @throws LastingFailure when the rendering under this key failed permanently within the last minute; else the errors
   * of `make`.
   */
  unlessFailed<Result>(key: string, make: () => Promise<Result> | Result): Promise<Result>;
}

export function createFailedRenderings(clock: Clock): FailedRenderings {
  const failures = new LRUCache<string, { readonly failure: LastingFailure; readonly at: number }>(
    atMost(FAILURES_MAX),
  );

  function rejectFailed(digest: string): void {
    const known = failures.get(digest);
    if (known === undefined) return;
    const leftMs = FAILURE_KEPT_MS - Math.abs(clock.now() - known.at);
    if (leftMs <= 0) {
      failures.delete(digest);
      return;
    }
    const { code, message, retryAfterMs } = known.failure;
    throw new LastingFailure(code, {
      message,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs: Math.max(1000, leftMs) }),
    });
  }

  return {
    async unlessFailed(key, make) {
      // Keys contain viewers' names, which must not outlive the report.
      const digest = hash('sha256', key, 'base64url');
      rejectFailed(digest);
      try {
        return await make();
      } catch (error) {
        if (error instanceof LastingFailure) failures.set(digest, { failure: error, at: clock.now() });
        throw error;
      }
    },
  };
}
