/**
 * Counters against guessing and flooding.
 *
 * A counter's window begins with the first `take` and ends `windowMs` later. The next take then begins a new window, as
 * it also does when all takes have been given back. Taking is atomic: of any number of parallel takes, at most `limit`
 * succeed in a window. A rejected take does not count, and its wait is never longer than a window: when a clock that
 * was ahead steps back, the window is cut to that length. If the store cannot answer, calls throw.
 */
export interface Budget {
  /** Takes allowed in one window. */
  readonly limit: number;
  readonly windowMs: number;
}

/** A successful take, which can be given back. */
export interface Take {
  readonly key: string;
  readonly windowEndsAt: number;
}

export interface Rejection {
  readonly ok: false;
  readonly retryAfterMs: number;
  /** The limit is reached only together with takes that may still be given back. */
  readonly undecided: boolean;
}

export type TakeResult = { readonly ok: true; readonly take: Take } | Rejection;

export type PeekResult = { readonly ok: true } | Rejection;

export type SlidingResult = { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };

export interface Counters {
  take(key: string, budget: Budget): Promise<TakeResult>;
  /** What `take` would return, without taking. */
  peek(key: string, budget: Budget): Promise<PeekResult>;
  /**
   * Undoes one take. Does nothing once the window of the take has ended, so it never frees anything in a later window.
   */
  giveBack(take: Take): Promise<void>;
  /** Marks a take that will not be given back. Only `undecided` in rejections depends on it. */
  confirm(take: Take): Promise<void>;
  /**
   * Like `take`, with a sliding window: no span of `windowMs` ever contains more than `limit`. Takes the whole weight
   * or nothing. Keys are separate from those of `take`.
   */
  takeSliding(key: string, weight: number, budget: Budget): Promise<SlidingResult>;
  /** Throws when the store is unreachable. */
  check(): Promise<void>;
  /** Deletes windows that have ended. */
  sweep(): Promise<void>;
}
