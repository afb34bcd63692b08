/** What is written to: a stream of the process, or a list in a test. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
  /** When all has been written; rejects when it could not be. */
  flushed?(): Promise<void>;
}
