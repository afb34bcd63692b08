/** A destination of output: a stream of the process, or a list in a test. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
  /** Resolves when everything has been written; rejects when it could not be. */
  flushed?(): Promise<void>;
}
