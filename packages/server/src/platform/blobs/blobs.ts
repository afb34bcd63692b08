/** Where report bodies are kept, outside the database. */
export interface Blobs {
  /** Throws when nothing can be written. */
  check(): Promise<void>;
}
