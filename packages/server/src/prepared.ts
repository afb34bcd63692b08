/** Answers whose bytes are made once and sent many times, so that a reader of a large report costs no more than its bytes. */
import { AppError } from '#app-error';

export const codings = ['br', 'gzip', 'identity'] as const;
/** A content coding, most wanted first. */
export type Coding = (typeof codings)[number];

/** The right under which a report's bytes are sent. When it ends, what is still on its way is cut. */
export interface SendingRight {
  /** Hints after which the right is checked again. */
  readonly topics: readonly string[];
  /** When it ends by the clock. */
  readonly endsAt: number;
  /**
   * Checks again whether the same answer would be given.
   * @returns when it ends by the clock now.
   * @throws AppError when the answer may not be sent any more.
   */
  readonly recheck: () => Promise<number>;
}

/** Whose report an answer holds, and under which right it is sent. */
export interface Holding {
  /** Of the report. */
  readonly ownerId: string;
  /** The share that it is read through. */
  readonly shareId: string | null;
  /** Whether the right is that of an account, and ends with the reader's session. */
  readonly needsSession: boolean;
  readonly right: SendingRight;
}

export interface Prepared {
  /** Absent for what is public. */
  readonly holding?: Holding;
  readonly contentType: string;
  /** Given when the answer is a file to be saved. */
  readonly fileName?: string;
  /** Given for what is public, and never another thing under the same address. */
  readonly isImmutable?: true;
  /** Given for what is public, and may be another thing in five minutes. */
  readonly isPublic?: true;
  /** Those that it is to be had in. */
  readonly codings: readonly Coding[];
  readonly bytesIn: (coding: Coding) => Promise<Uint8Array>;
}

/** A short answer, which is not worth a coding. */
export function preparedText(text: string, contentType = 'application/json; charset=utf-8'): Prepared {
  const bytes = new TextEncoder().encode(text);
  return {
    contentType,
    codings: ['identity'],
    bytesIn: async () => bytes,
  };
}

/** For a right that goes on while the answer would be another one. */
export function answerChanged(): AppError {
  return new AppError('RATE_LIMITED', {
    message: 'What you may see of this report changed while it was being sent. Try again.',
    retryAfterMs: 1000,
  });
}
