/**
 * Counters that guard against guessing and flooding.
 *
 * A counter's window begins with the first `take` and ends `windowMs` later; then it starts from nothing, as it does when
 * all that was taken has been given back. Taking is atomic: of any number of parallel takes, at most `limit` succeed in a
 * window. A refused take counts for nothing, and is never told to wait for longer than a window: when a clock that was
 * ahead has stepped back, the window is cut to that length. A store that can not answer throws, so that a guarded door
 * stays shut.
 */
export interface Budget {
  /** Takes allowed in one window. */
  readonly limit: number;
  readonly windowMs: number;
}

/** A successful take, by which it can be given back. */
export interface Take {
  readonly key: string;
  readonly windowEndsAt: number;
}

export interface Refusal {
  readonly ok: false;
  readonly retryAfterMs: number;
  /** Takes that may still be given back fill the budget: those that were confirmed alone would leave room. */
  readonly undecided: boolean;
}

export type TakeResult = { readonly ok: true; readonly take: Take } | Refusal;

export type PeekResult = { readonly ok: true } | Refusal;

export type SlidingResult = { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };

export interface Counters {
  take(key: string, budget: Budget): Promise<TakeResult>;
  /** What `take` would say, without taking. */
  peek(key: string, budget: Budget): Promise<PeekResult>;
  /** Undoes one take. Once its window is over this does nothing: it never makes room in a later one. */
  giveBack(take: Take): Promise<void>;
  /** Says of a take that it will not be given back. Only refusals tell the difference. */
  confirm(take: Take): Promise<void>;
  /**
   * As `take`, under a window that slides: of whatever was taken, no span of `windowMs` ever holds more than `limit`.
   * Takes the whole weight or nothing. Keys are counted apart from those of `take`.
   */
  takeSliding(key: string, weight: number, budget: Budget): Promise<SlidingResult>;
  /** Throws when the store is out of reach. */
  check(): Promise<void>;
  /** Forgets windows that are over. */
  sweep(): Promise<void>;
}
