/**
 * Responses whose bytes are rendered once and sent many times, so that another reader of a large report costs only the
 * transfer.
 */
import { AppError } from '#app-error';

export const codings = ['br', 'gzip', 'identity'] as const;
/** A content coding; the preferred one first. */
export type Coding = (typeof codings)[number];

/** The permission under which a report's bytes are sent. When it ends, the transfer is cut. */
export interface SendingRight {
  /** Hints that cause another check of the permission. */
  readonly topics: readonly string[];
  /** When the permission ends by the clock. */
  readonly endsAt: number;
  /**
   * Checks whether the same response would still be returned.
   * @returns when the permission now ends by the clock.
   * @throws AppError when the response may no longer be sent.
   */
  readonly recheck: () => Promise<number>;
}

/** The report that a response contains, and the permission under which it is sent. */
export interface Holding {
  /** The owner of the report. */
  readonly ownerId: string;
  /** The share through which it is read. */
  readonly shareId: string | null;
  /** Whether the permission is an account's, and ends with the reader's session. */
  readonly needsSession: boolean;
  readonly right: SendingRight;
}

export interface Prepared {
  /** Absent only for public responses. */
  readonly holding?: Holding;
  readonly contentType: string;
  /** Set when the response is a file to save. */
  readonly fileName?: string;
  /** Set for public responses that never change under the same address. */
  readonly isImmutable?: true;
  /** Set for public responses that may be cached for five minutes. */
  readonly isPublic?: true;
  /** The codings in which the response is available. */
  readonly codings: readonly Coding[];
  readonly bytesIn: (coding: Coding) => Promise<Uint8Array>;
}

/** A short response, for which a coding is not worth the cost. */
export function preparedText(text: string, contentType = 'application/json; charset=utf-8'): Prepared {
  const bytes = new TextEncoder().encode(text);
  return {
    contentType,
    codings: ['identity'],
    bytesIn: async () => bytes,
  };
}

/** The error when a permission continues but the response would be different now. */
export function answerChanged(): AppError {
  return new AppError('RATE_LIMITED', {
    message: 'Your access to this report changed while the response was being sent. Try again.',
    retryAfterMs: 1000,
  });
}
